"""Nets of fastnn in PyTorch, channels-last: the same layers, widths, strides and paddings.

net(name) returns a module that maps images [N,3,H,W] to a list of logits (a second one where the net has an auxiliary
head in training), and the image size.
"""

from torch import nn
import torch
import torch.nn.functional as F


def same_pads(size, kernel, stride):
    """TensorFlow's SAME padding of one axis: (before, after)."""
    out = -(-size // stride)
    total = max((out - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2


class SamePad(nn.Module):
    """Zeros (or 'value') around an image where SAME padding is not symmetric."""

    def __init__(self, kernel, stride, value=0.0):
        super().__init__()
        self.kernel, self.stride, self.value = kernel, stride, value

    def forward(self, x):
        top, bottom = same_pads(x.shape[2], self.kernel, self.stride)
        left, right = same_pads(x.shape[3], self.kernel, self.stride)
        return F.pad(x, (left, right, top, bottom), value=self.value) if top + bottom + left + right else x


def conv_bn(channels, filters, kernel, stride=1, padding=None, groups=1, activation=None, epsilon=1e-3):
    """Convolution, batch norm, activation. padding: None is SAME, 0 VALID."""
    kernel = (kernel, kernel) if isinstance(kernel, int) else kernel
    layers = []
    if padding is None and stride > 1 and kernel[0] > 1:
        layers.append(SamePad(kernel[0], stride))
        padding = 0
    elif padding is None:
        padding = (kernel[0] // 2, kernel[1] // 2)
    layers += [nn.Conv2d(channels, filters, kernel, stride, padding, groups=groups, bias=False),
               nn.BatchNorm2d(filters, eps=epsilon)]
    layers.append(activation if activation is not None else nn.ReLU(inplace=True))
    return nn.Sequential(*layers)


class Heads(nn.Module):
    """A net with one head."""

    def __init__(self, *layers):
        super().__init__()
        self.body = nn.Sequential(*layers)

    def forward(self, x):
        return [self.body(x)]


class Bottleneck(nn.Module):
    """ResNet v1 unit of TF-Slim: the stride sits in the 3x3 convolution."""

    def __init__(self, channels, width, stride):
        super().__init__()
        filters = 4 * width
        self.stride = stride
        self.first = conv_bn(channels, width, 1)
        self.second = conv_bn(width, width, 3, stride, padding=1)
        self.third = nn.Sequential(nn.Conv2d(width, filters, 1, bias=False), nn.BatchNorm2d(filters))
        self.shortcut = None
        if channels != filters:
            self.shortcut = nn.Sequential(nn.Conv2d(channels, filters, 1, stride, bias=False),
                                          nn.BatchNorm2d(filters))

    def forward(self, x):
        y = self.third(self.second(self.first(x)))
        if self.shortcut is not None:
            x = self.shortcut(x)
        elif self.stride > 1:
            x = x[:, :, ::self.stride, ::self.stride]
        return F.relu_(y + x)


def resnet_v1_50(classes):
    layers = [conv_bn(3, 64, 7, 2, padding=3), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for width, units, stride in ((64, 3, 2), (128, 4, 2), (256, 6, 2), (512, 3, 1)):
        for unit in range(units):
            layers.append(Bottleneck(channels, width, stride if unit == units - 1 else 1))
            channels = 4 * width
    return Heads(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, classes)), 224


def mobilenet_v1(classes):
    layers = [conv_bn(3, 32, 3, 2, activation=nn.ReLU6(inplace=True))]
    channels = 32
    for stride, filters in ((1, 64), (2, 128), (1, 128), (2, 256), (1, 256), (2, 512), (1, 512), (1, 512), (1, 512),
                            (1, 512), (1, 512), (2, 1024), (1, 1024)):
        layers.append(conv_bn(channels, channels, 3, stride, groups=channels, activation=nn.ReLU6(inplace=True)))
        layers.append(conv_bn(channels, filters, 1, activation=nn.ReLU6(inplace=True)))
        channels = filters
    return Heads(*layers, nn.AdaptiveAvgPool2d(1), nn.Dropout(0.001), nn.Flatten(),
                 nn.Linear(1024, classes)), 224


class InvertedResidual(nn.Module):
    """MobileNet v2 block."""

    def __init__(self, channels, filters, stride, expansion):
        super().__init__()
        hidden = channels * expansion
        self.add = stride == 1 and channels == filters
        layers = [conv_bn(channels, hidden, 1, activation=nn.ReLU6(inplace=True))] if expansion > 1 else []
        layers.append(conv_bn(hidden, hidden, 3, stride, groups=hidden, activation=nn.ReLU6(inplace=True)))
        layers.append(conv_bn(hidden, filters, 1, activation=nn.Identity()))
        self.body = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.body(x) if self.add else self.body(x)


def mobilenet_v2(classes):
    layers = [conv_bn(3, 32, 3, 2, activation=nn.ReLU6(inplace=True))]
    channels = 32
    for expansion, filters, units, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                              (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for unit in range(units):
            layers.append(InvertedResidual(channels, filters, stride if unit == 0 else 1, expansion))
            channels = filters
    return Heads(*layers, conv_bn(320, 1280, 1, activation=nn.ReLU6(inplace=True)), nn.AdaptiveAvgPool2d(1),
                 nn.Dropout(0.2), nn.Flatten(), nn.Linear(1280, classes)), 224


def vgg_16(classes):
    layers = []
    channels = 3
    for filters, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            layers += [nn.Conv2d(channels, filters, 3, padding=1), nn.ReLU(inplace=True)]
            channels = filters
        layers.append(nn.MaxPool2d(2))
    return Heads(*layers, nn.Flatten(), nn.Linear(512 * 49, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5),
                 nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Dropout(0.5), nn.Linear(4096, classes)), 224


def lenet(classes):
    return Heads(nn.Conv2d(3, 32, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(2),
                 nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Flatten(),
                 nn.Linear(3136, 1024), nn.ReLU(inplace=True), nn.Dropout(0.5), nn.Linear(1024, classes)), 28


def cifarnet(classes):
    def norm():
        return nn.LocalResponseNorm(9, alpha=0.001, beta=0.75)

    return Heads(nn.Conv2d(3, 64, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(2), norm(),
                 nn.Conv2d(64, 64, 5, padding=2), nn.ReLU(inplace=True), norm(), nn.MaxPool2d(2), nn.Flatten(),
                 nn.Linear(4096, 384), nn.ReLU(inplace=True), nn.Dropout(0.5), nn.Linear(384, 192),
                 nn.ReLU(inplace=True), nn.Linear(192, classes)), 32


class Branches(nn.Module):
    """Concatenates what its branches make of one input."""

    def __init__(self, *branches):
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, x):
        return torch.cat([branch(x) for branch in self.branches], 1)


class ScaledResidual(nn.Module):
    """x + scale * (1x1 convolution of the branches), and a ReLU unless 'linear'."""

    def __init__(self, branches, mixed, channels, scale, linear=False):
        super().__init__()
        self.branches = branches
        self.up = nn.Conv2d(mixed, channels, 1)
        self.scale, self.linear = scale, linear

    def forward(self, x):
        y = x + self.scale * self.up(self.branches(x))
        return y if self.linear else F.relu_(y)


class InceptionResnetV2(nn.Module):
    def __init__(self, classes):
        super().__init__()
        stem = nn.Sequential(conv_bn(3, 32, 3, 2, padding=0), conv_bn(32, 32, 3, padding=0), conv_bn(32, 64, 3),
                             nn.MaxPool2d(3, 2), conv_bn(64, 80, 1), conv_bn(80, 192, 3, padding=0),
                             nn.MaxPool2d(3, 2))
        mixed_5b = Branches(
            conv_bn(192, 96, 1), nn.Sequential(conv_bn(192, 48, 1), conv_bn(48, 64, 5)),
            nn.Sequential(conv_bn(192, 64, 1), conv_bn(64, 96, 3), conv_bn(96, 96, 3)),
            nn.Sequential(nn.AvgPool2d(3, 1, 1, count_include_pad=False), conv_bn(192, 64, 1)))
        mixed_6a = Branches(
            conv_bn(320, 384, 3, 2, padding=0),
            nn.Sequential(conv_bn(320, 256, 1), conv_bn(256, 256, 3), conv_bn(256, 384, 3, 2, padding=0)),
            nn.MaxPool2d(3, 2))
        mixed_7a = Branches(
            nn.Sequential(conv_bn(1088, 256, 1), conv_bn(256, 384, 3, 2, padding=0)),
            nn.Sequential(conv_bn(1088, 256, 1), conv_bn(256, 288, 3, 2, padding=0)),
            nn.Sequential(conv_bn(1088, 256, 1), conv_bn(256, 288, 3), conv_bn(288, 320, 3, 2, padding=0)),
            nn.MaxPool2d(3, 2))
        self.to_17 = nn.Sequential(stem, mixed_5b, *[self.block35() for _ in range(10)], mixed_6a,
                                   *[self.block17() for _ in range(20)])
        self.to_8 = nn.Sequential(mixed_7a, *[self.block8(0.2) for _ in range(9)], self.block8(1.0, linear=True),
                                  conv_bn(2080, 1536, 1))
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(1536, classes))
        self.auxiliary = nn.Sequential(nn.AvgPool2d(5, 3), conv_bn(1088, 128, 1), conv_bn(128, 768, 5, padding=0),
                                       nn.Flatten(), nn.Linear(768, classes))

    @staticmethod
    def block35():
        branches = Branches(conv_bn(320, 32, 1), nn.Sequential(conv_bn(320, 32, 1), conv_bn(32, 32, 3)),
                            nn.Sequential(conv_bn(320, 32, 1), conv_bn(32, 48, 3), conv_bn(48, 64, 3)))
        return ScaledResidual(branches, 128, 320, 0.17)

    @staticmethod
    def block17():
        branches = Branches(conv_bn(1088, 192, 1),
                            nn.Sequential(conv_bn(1088, 128, 1), conv_bn(128, 160, (1, 7)), conv_bn(160, 192, (7, 1))))
        return ScaledResidual(branches, 384, 1088, 0.1)

    @staticmethod
    def block8(scale, linear=False):
        branches = Branches(conv_bn(2080, 192, 1),
                            nn.Sequential(conv_bn(2080, 192, 1), conv_bn(192, 224, (1, 3)), conv_bn(224, 256, (3, 1))))
        return ScaledResidual(branches, 448, 2080, scale, linear)

    def forward(self, x):
        x = self.to_17(x)
        logits = self.head(self.to_8(x))
        return [logits, self.auxiliary(x)] if self.training else [logits]


def inception_resnet_v2(classes):
    return InceptionResnetV2(classes), 299


NETS = {builder.__name__: builder for builder in (lenet, cifarnet, resnet_v1_50, mobilenet_v1, mobilenet_v2, vgg_16,
                                                  inception_resnet_v2)}


def net(name, classes):
    if name not in NETS:
        raise SystemExit(f"no net {name} here; there are {', '.join(NETS)}")
    return NETS[name](classes)
