"""Compares the input of fastnn with that of TensorFlow (tf.data, TF-Slim's preprocessing) and PyTorch (torchvision v2).

Each program reads the same TFRecords, decodes, augments and batches them on as many cores, and waits; then turns of
some batches alternate, ours and the rival's first by turns. What a program had made ready ahead is used up before a
turn is timed. A row is printed for each preprocessing and size: the ratio of rates turn by turn, and the same of
processor time, which a machine that is shared disturbs less.

  python3 bench/peers/input.py --peer=tf --python=VENV/bin/python --files=photos_train.tfrecord --image_size=224,299
"""

import argparse
import json
import os
import pathlib
import statistics

import pair

FOLDER = pathlib.Path(__file__).resolve().parent
TICKS = os.sysconf("SC_CLK_TCK")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=("tf", "torch"), required=True)
    parser.add_argument("--python", default="python3", help="an interpreter that has the rival's packages")
    parser.add_argument("--bench", default=str(FOLDER.parent.parent / "build/bin/fastnn-bench"))
    parser.add_argument("--files", required=True, help="a file of TFRecords")
    parser.add_argument("--preprocessing", default="inception,inception_full,vgg")
    parser.add_argument("--image_size", default="224")
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batches", type=int, default=10, help="of a turn")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--json", help="file for the seconds of every turn")
    parser.add_argument("peer_options", nargs="*", help="after --: options for the rival, as --fused")
    return parser.parse_args()


def processes(root):
    """A process and all that it started."""
    children = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append((int(folder.name), int(fields[11]) + int(fields[12])))
    found, open_ones = {}, [root]
    found[root] = sum(ticks for siblings in children.values() for pid, ticks in siblings if pid == root)
    while open_ones:
        for pid, ticks in children.get(open_ones.pop(), []):
            found[pid] = ticks
            open_ones.append(pid)
    return found


def turn(server):
    """Seconds of a batch: by the clock, and of all processors."""
    before = sum(processes(server.process.pid).values())
    seconds = server.turn()
    return seconds, (sum(processes(server.process.pid).values()) - before) / TICKS


def start(options, preprocessing, size):
    cores = ["taskset", "-c", f"0-{options.threads - 1}" if options.threads > 1 else "0"]
    flags = [f"--files={options.files}", f"--preprocessing={preprocessing}", f"--image_size={size}",
             f"--batch_size={options.batch_size}", f"--threads={options.threads}"]
    environment = {"OMP_NUM_THREADS": str(options.threads)}
    ours = pair.Server([*cores, options.bench, "input", *flags, f"--serve={options.batches}"], environment)
    rival = pair.Server([*cores, options.python, str(FOLDER / f"{options.peer}_input.py"), *flags,
                         f"--batches={options.batches}", *options.peer_options], environment)
    return ours, rival


def compare(options, preprocessing, size):
    ours, rival = start(options, preprocessing, size)
    for server in (ours, rival):
        server.turn()
    turns = []
    for i in range(options.turns):
        order = (ours, rival) if i % 2 == 0 else (rival, ours)
        measured = {server: turn(server) for server in order}
        turns.append((*measured[ours], *measured[rival]))
    for server in (ours, rival):
        server.close()
    return rival.title.removeprefix("ready "), turns


def ratio_text(ratios):
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def main():
    options = arguments()
    print("| preprocessing | pixels | cores | rival | ratio of rates | ratio of processor time |")
    print("|---|---|---|---|---|---|", flush=True)
    results = []
    for preprocessing in options.preprocessing.split(","):
        for size in options.image_size.split(","):
            title, turns = compare(options, preprocessing, size)
            print(f"| {preprocessing} | {size} | {options.threads} | {title} | {ratio_text([t[2] / t[0] for t in turns])} | "
                  f"{ratio_text([t[3] / t[1] for t in turns])} |", flush=True)
            results.append({"preprocessing": preprocessing, "image_size": size, "rival": title, "turns": turns,
                            "options": vars(options)})
            if options.json:
                pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
