"""Runs the fuzz targets of a build made with FASTNN_FUZZ, or shows that each of them finds a planted fault.

  python3 tests/fuzz/fuzz.py run --seconds=600               every target for ten minutes, a row of a table each
  python3 tests/fuzz/fuzz.py run --seconds=60 jpeg png
  python3 tests/fuzz/fuzz.py planted --seconds=120           plants the faults of planted.tsv one after another

Inputs that a target keeps stay in BUILD/fuzz/TARGET for the next run; one that ends it is BUILD/fuzz/TARGET-crash-*.
Exit code 1 if a target ends, or if a planted fault is not found.
"""

import argparse
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLANTED = ROOT / "tests/fuzz/planted.tsv"
TARGETS = ("record", "inflate", "example", "index_file", "bundle_index", "bundle_data", "parameter_file", "labels", "idx",
           "cifar", "jpeg", "png", "gif", "bmp", "exif")
# Longest input: what a format needs for a few blocks, since long ones are slow.
LONGEST = {"jpeg": 4096, "png": 4096, "cifar": 8, "bundle_index": 2048}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "planted"))
    parser.add_argument("--build", default=str(ROOT / "build-asan"))
    parser.add_argument("--seconds", type=int, required=True, help="of each target")
    parser.add_argument("targets", nargs="*", help="all unless named")
    options = parser.parse_intermixed_args()
    options.targets = options.targets or list(TARGETS)
    unknown = set(options.targets) - set(TARGETS)
    if unknown:
        parser.error(f"unknown targets {sorted(unknown)}; known: {', '.join(TARGETS)}")
    return options


def fuzz(build, target, corpus, seconds):
    """Runs one target; its exit code and output."""
    corpus.mkdir(parents=True, exist_ok=True)
    command = [str(build / "bin" / f"fuzz_{target}"), str(corpus), f"-max_total_time={seconds}", "-print_final_stats=1",
               f"-max_len={LONGEST.get(target, 1024)}", "-timeout=20", "-rss_limit_mb=2048", "-seed=1",
               "-verbosity=1", f"-artifact_prefix={corpus.parent}/{target}-"]
    environment = {**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=1:quarantine_size_mb=64"}
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                            env=environment, check=False)
    for folder in pathlib.Path("/dev/shm").glob("fastnn-fuzz-*"):
        if not pathlib.Path(f"/proc/{folder.name.rsplit('-', 1)[1]}").exists():
            shutil.rmtree(folder, ignore_errors=True)
    return result.returncode, result.stdout


def figures(output):
    """Executions, edges reached, edges there are, kept inputs."""
    def last(pattern):
        found = re.findall(pattern, output)
        return int(found[-1]) if found else 0

    return (last(r"stat::number_of_executed_units:\s*(\d+)"), last(r"cov: (\d+)"),
            sum(int(count) for count in re.findall(r"\((\d+) inline 8-bit counters\)|^$", output) if count),
            last(r"corp: (\d+)/"))


def seeds(build, folder):
    data = os.environ.get("FASTNN_DATA_DIR", str(ROOT.parent / "shared/data"))
    subprocess.run([str(build / "bin/fuzz_seeds"), str(folder), str(ROOT / "tests/golden"), data], check=True)


def run(options):
    build = pathlib.Path(options.build)
    corpus = build / "fuzz"
    seeds(build, corpus)
    print("| target | seconds | executions | edges reached | inputs kept |")
    print("|---|---|---|---|---|", flush=True)
    failed = []
    for target in options.targets:
        begin = time.monotonic()
        code, output = fuzz(build, target, corpus / target, options.seconds)
        executions, edges, _, kept = figures(output)
        print(f"| {target} | {time.monotonic() - begin:.0f} | {executions} | {edges} | {kept} |", flush=True)
        if code != 0:
            failed.append(target)
            print(output[-6000:], file=sys.stderr, flush=True)
    if failed:
        sys.exit(f"ended: {', '.join(failed)}; the inputs are in {corpus}")


def planted(options):
    """Plants each fault in the sources, builds the target, and takes the fault away again."""
    build = pathlib.Path(options.build)
    with PLANTED.open() as file:
        rows = [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row[0] in options.targets]
    missed = []
    for target, name, right, wrong in rows:
        source = ROOT / name
        original = source.read_text()
        if original.count(right) != 1:
            sys.exit(f"planted.tsv: {name} must hold {right!r} once, and does {original.count(right)} times")
        try:
            source.write_text(original.replace(right, wrong))
            subprocess.run(["cmake", "--build", str(build), "--target", f"fuzz_{target}", "fuzz_seeds"], check=True,
                           stdout=subprocess.DEVNULL)
            with tempfile.TemporaryDirectory() as folder:
                corpus = pathlib.Path(folder)
                seeds(build, corpus)
                begin = time.monotonic()
                code, output = fuzz(build, target, corpus / target, options.seconds)
        finally:
            source.write_text(original)
        verdict = "found" if code != 0 else "MISSED"
        fault = re.search(r"(?:ERROR: \w+: |runtime error: |libFuzzer: )([^\n(]*)", output)
        print(f"| {target} | {name} | `{wrong.strip()}` for `{right.strip()}` | {verdict} after "
              f"{time.monotonic() - begin:.0f} s: {fault.group(1).strip() if fault else '-'} |", flush=True)
        if code == 0:
            missed.append(target)
    if missed:
        sys.exit(f"not found: {', '.join(missed)}")


def main():
    options = arguments()
    {"run": run, "planted": planted}[options.command](options)


if __name__ == "__main__":
    main()
