#!/usr/bin/env bash
# Builds fastnn and trains LeNet on a small embedded data set, about a minute on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. scripts/setup.sh

usage="usage: ./quickstart.sh [--no-install] [--run=FOLDER]
  --no-install   list missing packages instead of installing them (exit 4 when some are missing)
  --run=FOLDER   where data set and checkpoints go; default runs/quickstart, made anew each time"

tools=(fastnn-data fastnn-train fastnn-eval)
model=(--dataset_name=shapes --model_name=lenet)
training=(--train_image_size=32 --batch_size=64 --stop_at_step=1000 --optimizer=adam --learning_rate=0.001
  --opt_epsilon=1e-8 --learning_rate_decay_type=fixed --log_loss_every_n_iters=50)
evaluation=(--eval_image_size=32)

mode=install
run=runs/quickstart
for argument in "$@"; do
  case $argument in
    --no-install) mode=list ;;
    --run=?*) run=${argument#--run=} ;;
    -h | --help) say "$usage" && exit 0 ;;
    *) fail 2 "[quickstart] unknown argument '$argument'" "$usage" ;;
  esac
done

set_up "$mode"

say "[quickstart] building ${tools[*]} in build/ (a few minutes the first time)"
log=build/quickstart.log
mkdir -p build
{ cmake --preset release && cmake --build build -j "$(nproc)" --target "${tools[@]}"; } >"$log" 2>&1 ||
  { tail -n 40 "$log" >&2; fail 1 "[quickstart] the build failed; all of it is in $log"; }

# The marker keeps files that are not ours from being removed when the run is made anew.
marker=$run/.fastnn-quickstart
if [ -e "$run" ] && [ ! -e "$marker" ] && [ -n "$(ls -A "$run")" ]; then
  fail 2 "[quickstart] expected an empty folder or an earlier quickstart's; $run holds other files. Name another: --run=FOLDER"
fi
mkdir -p "$run"
touch "$marker"
rm -rf "$run/data" "$run/lenet"

say "[quickstart] writing the sample data set to $run/data"
build/bin/fastnn-data synth --output_dir="$run/data"

say "[quickstart] training LeNet in $run/lenet"
build/bin/fastnn-train "${model[@]}" "${training[@]}" --dataset_dir="$run/data" --output_dir="$run/lenet"

say "[quickstart] evaluating $run/lenet"
build/bin/fastnn-eval "${model[@]}" "${evaluation[@]}" --dataset_dir="$run/data" --output_dir="$run/lenet" | tee "$run/evaluation.txt"

accuracy=$(grep -i accuracy "$run/evaluation.txt" | tail -n 1) ||
  fail 1 "[quickstart] expected a line with the accuracy from fastnn-eval; it is missing in $run/evaluation.txt"
say "" "[quickstart] done: $accuracy"
say "Try next:
  build/bin/fastnn-train ${model[*]} --dataset_dir=$run/data --output_dir=$run/longer ${training[*]} --stop_at_step=3000
  build/bin/fastnn-train --help            every parameter with its default
  ./test.sh                                build and run the tests
  README.md                                train on MNIST or on your own images"
