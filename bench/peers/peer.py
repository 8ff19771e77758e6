"""What the programs have in common that run a rival's steps for pair.py: options, and a line in, a line out."""

import argparse
import sys
import time


def parser(description):
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--model_name", required=True)
    result.add_argument("--batch_size", type=int, required=True)
    result.add_argument("--num_classes", type=int, default=1000)
    result.add_argument("--threads", type=int, required=True)
    result.add_argument("--dtype", choices=("f32", "bf16"), default="f32")
    result.add_argument("--phase", choices=("training", "inference"), default="training")
    result.add_argument("--steps", type=int, default=1, help="steps of a turn")
    return result


def serve(title, step, steps):
    """Says that it is ready; then, for every line read, the mean seconds of 'steps' steps."""
    print("ready", title, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        for _ in range(steps):
            step()
        print((time.perf_counter() - begin) / steps, flush=True)
