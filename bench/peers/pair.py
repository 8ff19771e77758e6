"""Compares fastnn with PyTorch or TensorFlow, step against step.

Both programs build the same net and wait; then turns alternate, ours and the rival's first by turns, so that a change
of the machine's speed meets both. A row is printed for each net: medians, and the ratio of rates turn by turn.

  python3 bench/peers/pair.py --peer=torch --python=VENV/bin/python --model_name=lenet,cifarnet --batch_size=64
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent
TCMALLOC = "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=("torch", "tf"), required=True)
    parser.add_argument("--python", default="python3", help="an interpreter that has the rival's packages")
    parser.add_argument("--bench", default=str(FOLDER.parent.parent / "build/bin/fastnn-bench"))
    parser.add_argument("--model_name", required=True, help="nets with commas between them")
    parser.add_argument("--batch_size", type=int, required=True)
    parser.add_argument("--num_classes", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--phase", choices=("training", "inference"), default="training")
    parser.add_argument("--dtype", choices=("f32", "bf16"), default="f32")
    parser.add_argument("--steps", type=int, default=1, help="steps of a turn")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--json", help="file for the seconds of every turn")
    parser.add_argument("peer_options", nargs="*", help="after --: options for the rival, as --compile")
    return parser.parse_args()


class Server:
    """A program that runs the steps of a turn for each line it is given."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment}, cwd=FOLDER)
        self.title = self.answer("ready")

    def answer(self, expected=""):
        line = self.process.stdout.readline()
        if not line or not line.startswith(expected):
            raise SystemExit(f"{' '.join(self.process.args)} ended or answered {line!r}")
        return line.strip()

    def turn(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.answer())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def flags(options, model_name):
    names = ("batch_size", "num_classes", "threads", "phase", "steps")
    chosen = [f"--model_name={model_name}"] + [f"--{name}={getattr(options, name)}" for name in names]
    return chosen if options.dtype == "f32" else chosen + [f"--dtype={options.dtype}"]


def start(options, model_name):
    environment = {"OMP_NUM_THREADS": str(options.threads)}
    ours = Server([options.bench, "serve", *flags(options, model_name)], environment)
    if options.peer == "torch":
        environment["LD_PRELOAD"] = TCMALLOC
    command = [options.python, str(FOLDER / f"{options.peer}_peer.py"), *flags(options, model_name)]
    return ours, Server(command + options.peer_options, environment)


def compare(options, model_name):
    ours, rival = start(options, model_name)
    for server in (ours, rival):
        server.turn()
    turns = []
    for i in range(options.turns):
        order = (ours, rival) if i % 2 == 0 else (rival, ours)
        seconds = {server: server.turn() for server in order}
        turns.append((seconds[ours], seconds[rival]))
    for server in (ours, rival):
        server.close()
    return rival.title.removeprefix("ready "), turns


def row(options, model_name, title, turns):
    ratios = sorted(rival / ours for ours, rival in turns)
    rates = [options.batch_size / statistics.median(seconds) for seconds in zip(*turns)]
    return (f"| {model_name} | {options.phase} | {options.dtype} | {options.batch_size} | {options.threads} | {title} "
            f"{' '.join(options.peer_options)} | {rates[0]:.1f} | {rates[1]:.1f} | {statistics.median(ratios):.2f} | "
            f"{ratios[0]:.2f} to {ratios[-1]:.2f} |")


def main():
    options = arguments()
    if options.peer == "torch" and not os.path.exists(TCMALLOC):
        raise SystemExit(f"{TCMALLOC} is missing: install libtcmalloc-minimal4, which PyTorch's eager steps need")
    print("| net | phase | type | batch | threads | rival | ours, images/s | rival, images/s | ratio, median | ratios |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    results = []
    for model_name in options.model_name.split(","):
        title, turns = compare(options, model_name)
        print(row(options, model_name, title, turns), flush=True)
        results.append({"model_name": model_name, "rival": title, "seconds": turns, "options": vars(options)})
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
