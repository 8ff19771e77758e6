"""Makes batches with torchvision's transforms v2 and a DataLoader; driven by input.py. Needs torch and torchvision.

The records are found once and their bytes kept in memory, so that reading costs nothing. On one core the DataLoader
works in its own process, on more with as many workers.
"""

import struct

import input_peer

OPTIONS = input_peer.parser(__doc__).parse_args()

import torch  # noqa: E402
import torchvision  # noqa: E402
from torchvision.transforms import v2  # noqa: E402


def jpegs(path):
    """The JPEG of each record: from its start mark to the end of its field, whose length stands before it."""
    data = open(path, "rb").read()
    at = 0
    while at < len(data):
        length, = struct.unpack_from("<Q", data, at)
        payload = data[at + 12:at + 12 + length]
        start = payload.index(b"\xff\xd8\xff")
        end = payload.rindex(b"\xff\xd9") + 2
        yield torch.frombuffer(bytearray(payload[start:end]), dtype=torch.uint8)
        at += 16 + length


def transform():
    size = OPTIONS.image_size
    to_float = v2.ToDtype(torch.float32, scale=True)
    if OPTIONS.preprocessing == "vgg":
        # The scale jitter of 256 to 512 pixels of the shorter side.
        return v2.Compose([v2.RandomShortestSize(list(range(256, 513)), antialias=True), v2.RandomCrop(size),
                           v2.RandomHorizontalFlip(), to_float,
                           v2.Normalize((0.485, 0.458, 0.408), (1 / 255, 1 / 255, 1 / 255))])
    full = OPTIONS.preprocessing == "inception_full"
    jitter = v2.ColorJitter(brightness=32 / 255, saturation=0.5, contrast=0.5 if full else 0, hue=0.2 if full else 0)
    return v2.Compose([v2.RandomResizedCrop(size, scale=(0.05, 1.0), ratio=(0.75, 1.33), antialias=True),
                       v2.RandomHorizontalFlip(), jitter, to_float, v2.Normalize((0.5,) * 3, (0.5,) * 3)])


class Images(torch.utils.data.Dataset):
    def __init__(self):
        self.encoded = [jpeg for path in OPTIONS.files.split(",") for jpeg in jpegs(path)]
        self.transform = transform()

    def __len__(self):
        return 1 << 40

    def __getitem__(self, index):
        jpeg = self.encoded[index % len(self.encoded)]
        return self.transform(torchvision.io.decode_jpeg(jpeg, mode=torchvision.io.ImageReadMode.RGB)), 0


class Endless(torch.utils.data.Sampler):
    def __iter__(self):
        index = 0
        while True:
            yield index
            index += 1


def main():
    torch.set_num_threads(1)
    workers = 0 if OPTIONS.threads == 1 else OPTIONS.threads
    loader = torch.utils.data.DataLoader(Images(), OPTIONS.batch_size, sampler=Endless(), num_workers=workers,
                                         prefetch_factor=input_peer.PREFETCH if workers else None)
    iterator = iter(loader)
    input_peer.serve(f"torchvision {torchvision.__version__}", lambda: next(iterator), OPTIONS.batches)


if __name__ == "__main__":
    main()
