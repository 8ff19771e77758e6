"""Trains a net in f32 and in bf16 on the same batches and compares the losses.

Prints a row of a Markdown table: the mean cross-entropy of the last steps in both types, and how far bf16 is from f32.
Draws both curves, the mean of each ten steps, as SVG.

  python3 bench/bf16_curves.py --model_name=cifarnet --steps=200 --svg=cifarnet.svg -- \\
      --dataset_name=cifar10 --dataset_dir=data/cifar10 --batch_size=32 --learning_rate=0.01
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAST = 20
BIN = 10
WIDTH, HEIGHT, MARGIN = 640, 320, 48
COLOURS = {"f32": "#1f5fa8", "bf16": "#c8501e"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", default=str(ROOT / "build/bin/fastnn-train"))
    parser.add_argument("--model_name", required=True)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--svg", help="file for the picture")
    parser.add_argument("train_options", nargs="*", help="after --: parameters of fastnn-train")
    return parser.parse_args()


def losses(options, use_fp16):
    """The cross-entropy of every step."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.train, f"--model_name={options.model_name}", f"--stop_at_step={options.steps}",
                   f"--use_fp16={use_fp16}", f"--output_dir={folder}/run", "--log_loss_every_n_iters=1",
                   "--hooks=StopAtStepHook,LoggingTensorHook", *options.train_options]
        run = subprocess.run(command, capture_output=True, text=True)
    text = run.stdout + run.stderr
    found = [float(value) for value in re.findall(r"step \d+: .*?cross_entropy ([-\d.e+]+)", text)]
    if run.returncode != 0 or len(found) != options.steps:
        raise SystemExit(f"{' '.join(command)}: exit code {run.returncode}, {len(found)} losses\n{text[-2000:]}")
    if use_fp16 and "compute: bf16" not in text:
        raise SystemExit("this processor does not multiply bf16")
    return found


def mean(values):
    return sum(values) / len(values)


def points(values, highest):
    """Centres of bins in the picture's coordinates."""
    bins = [mean(values[i:i + BIN]) for i in range(0, len(values), BIN)]
    for i, value in enumerate(bins):
        x = MARGIN + (i + 0.5) / len(bins) * (WIDTH - 2 * MARGIN)
        y = HEIGHT - MARGIN - value / highest * (HEIGHT - 2 * MARGIN)
        yield f"{x:.1f},{y:.1f}"


def picture(title, curves):
    highest = 1.05 * max(mean(values[i:i + BIN]) for values in curves.values() for i in range(0, len(values), BIN))
    steps = len(next(iter(curves.values())))
    bottom, right = HEIGHT - MARGIN, WIDTH - MARGIN
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             'font-size="13">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{MARGIN}" y="24">{title}: cross-entropy, mean of {BIN} steps</text>',
             f'<path d="M{MARGIN},{MARGIN}V{bottom}H{right}" fill="none" stroke="black"/>',
             f'<text x="{right}" y="{bottom + 20}" text-anchor="end">{steps} steps</text>',
             f'<text x="{MARGIN - 6}" y="{bottom}" text-anchor="end">0</text>',
             f'<text x="{MARGIN - 6}" y="{MARGIN + 5}" text-anchor="end">{highest:.2f}</text>']
    for i, (name, values) in enumerate(curves.items()):
        lines.append(f'<polyline points="{" ".join(points(values, highest))}" fill="none" '
                     f'stroke="{COLOURS[name]}" stroke-width="2"/>')
        lines.append(f'<text x="{right}" y="{24 + 18 * i}" text-anchor="end" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    options = arguments()
    curves = {"f32": losses(options, False), "bf16": losses(options, True)}
    wide, narrow = (mean(values[-LAST:]) for values in curves.values())
    print(f"| {options.model_name} | {options.steps} | {curves['f32'][0]:.3f} | {wide:.4f} | {narrow:.4f} | "
          f"{100 * (narrow / wide - 1):+.1f} % |", flush=True)
    if options.svg:
        pathlib.Path(options.svg).write_text(picture(options.model_name, curves))


if __name__ == "__main__":
    main()
