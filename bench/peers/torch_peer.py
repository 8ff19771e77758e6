"""Runs steps of a net in PyTorch on demand: a line in, their mean seconds out. Driven by pair.py.

Channels-last, the optimizer's fused form, gradients set to None, the batch in memory: the fastest plain PyTorch.
"""

import torch
from torch import nn

import peer
import torch_nets


def arguments():
    parser = peer.parser(__doc__)
    parser.add_argument("--optimizer_form", choices=("fused", "foreach"), default="fused")
    parser.add_argument("--compile", action="store_true")
    return parser.parse_args()


def training_step(options, model, images, labels):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6, momentum=0.9, weight_decay=4e-5,
                                **{options.optimizer_form: True})
    cross_entropy = nn.CrossEntropyLoss()

    def loss():
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.dtype == "bf16"):
            outputs = model(images)
        heads = [cross_entropy(logits.float(), labels) for logits in outputs]
        return heads[0] + 0.4 * sum(heads[1:])

    compute = torch.compile(loss) if options.compile else loss

    def step():
        optimizer.zero_grad(set_to_none=True)
        compute().backward()
        optimizer.step()

    return step


def inference_step(options, model, images):
    compute = torch.compile(model) if options.compile else model

    def step():
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.dtype == "bf16"):
            return [torch.softmax(logits.float(), 1) for logits in compute(images)]

    return step


def main():
    options = arguments()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    model, size = torch_nets.net(options.model_name, options.num_classes)
    model = model.to(memory_format=torch.channels_last).train(options.phase == "training")
    images = torch.rand(options.batch_size, 3, size, size).mul_(2).sub_(1).contiguous(
        memory_format=torch.channels_last)
    labels = torch.arange(options.batch_size) % options.num_classes
    step = (training_step(options, model, images, labels) if options.phase == "training"
            else inference_step(options, model, images))
    step()
    peer.serve(f"PyTorch {torch.__version__}", step, options.steps)


if __name__ == "__main__":
    main()
