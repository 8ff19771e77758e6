"""What the programs have in common that make a rival's batches for input.py: options, and a line in, a line out."""

import argparse
import sys
import time

# Batches that may be ready ahead.
PREFETCH = 2


def parser(description):
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--files", required=True)
    result.add_argument("--preprocessing", choices=("inception", "inception_full", "vgg"), required=True)
    result.add_argument("--image_size", type=int, required=True)
    result.add_argument("--batch_size", type=int, required=True)
    result.add_argument("--threads", type=int, required=True)
    result.add_argument("--batches", type=int, required=True, help="of a turn")
    return result


def serve(title, next_batch, batches):
    """Says that it is ready; then, for every line read, the mean seconds of a batch, those ready ahead used up before."""
    print("ready", title, flush=True)
    for _ in sys.stdin:
        for _ in range(PREFETCH + 1):
            next_batch()
        begin = time.perf_counter()
        for _ in range(batches):
            next_batch()
        print((time.perf_counter() - begin) / batches, flush=True)
