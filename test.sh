#!/usr/bin/env bash
# Sets the machine up, builds fastnn and runs its tests; --full adds slow tests, AVX2, sanitizers, format and lint.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. scripts/setup.sh

usage="usage: ./test.sh [--full] [--no-install]
  --full         also: format, slow tests, tests held to AVX2, address/undefined and thread sanitizers, fuzzing, lint (clang-tidy)
  --no-install   list missing packages instead of installing them (exit 4 when some are missing)"

mode=install
full=no
for argument in "$@"; do
  case $argument in
    --full) full=yes ;;
    --no-install) mode=list ;;
    -h | --help) say "$usage" && exit 0 ;;
    *) fail 2 "[test] unknown argument '$argument'" "$usage" ;;
  esac
done

jobs=$(nproc)
logs=build/test-logs
mkdir -p "$logs"
table=()
skips=()
pulse=""

stop_pulse() {
  [ -z "$pulse" ] || kill "$pulse" 2>/dev/null || true
  pulse=""
}
trap stop_pulse EXIT

# The stages with their seconds, then what was skipped and why.
report() {
  say "" "stage                          seconds  result"
  printf '%s\n' "${table[@]}"
  printf '%-30s %7d\n' total "$SECONDS"
  if [ ${#skips[@]} -gt 0 ]; then
    say "" "skipped:"
    printf '  %s\n' "${skips[@]}"
  else
    say "" "skipped: nothing"
  fi
}

# A line now and then while a silent stage works: its last line of output.
heartbeat() {
  local log=$1 begin=$SECONDS
  while sleep 30 >/dev/null 2>&1; do say "  ... $((SECONDS - begin)) s: $(tail -n 1 "$log" | cut -c 1-120)"; done
}

# Output of failed tests only, from a log of ctest.
failed_tests() {
  awk '/^ *[0-9]+\/[0-9]+ Test +#/ { show = /\*\*\*/ } /^ +Start +[0-9]+:/ { show = 0 } show' "$1" | head -n 200
}

# stage NAME COMMAND...: runs it with its output in a log file; stops everything when it fails.
stage() {
  local name=$1 log begin=$SECONDS code=0
  log=$logs/${1// /-}.log
  shift
  say "[test] $name"
  : >"$log"
  heartbeat "$log" &
  pulse=$!
  "$@" >"$log" 2>&1 || code=$?
  stop_pulse
  if [ "$code" != 0 ]; then
    table+=("$(printf '%-30s %7d  FAILED' "$name" $((SECONDS - begin)))")
    failed_tests "$log"
    tail -n 30 "$log"
    report
    fail 1 "" "[test] stage '$name' failed (exit $code); all of its output is in $log"
  fi
  table+=("$(printf '%-30s %7d  passed' "$name" $((SECONDS - begin)))")
}

# skip NAME REASON
skip() {
  say "[test] $1: skipped: $2"
  table+=("$(printf '%-30s %7s  skipped' "$1" -)")
  skips+=("$1: $2")
}

# tests NAME PRESET OPTION...: ctest as a stage, then its summary and the reasons that tests gave for skipping.
tests() {
  local name=$1 preset=$2 log folder reason
  log=$logs/${name// /-}.log
  shift 2
  stage "$name" ctest --preset "$preset" --jobs "$jobs" "$@"
  if ! grep -E '^[0-9]+% tests passed' "$log"; then
    table[-1]=${table[-1]/passed/no tests}
    skips+=("$name: no test has its label")
    return
  fi
  table[-1]+=", $(sed -n 's/^.* tests failed out of //p' "$log") tests"
  folder=$(sed -n 's/^Test project //p' "$log")
  while read -r reason; do skips+=("$name: $reason"); done < <(
    sed -n 's/^ *skipped: //p' "$folder/Testing/Temporary/LastTest.log" | sort | uniq -c |
      sed 's/^ *\([0-9]*\) /\1 x /')
}

build() { cmake --preset "$1" "${@:2}" && cmake --build --preset "$1" --parallel "$jobs"; }

folders=(kernels engine nets data optim tools bench)

check_format() {
  find "${folders[@]}" tests \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 | xargs -0 -r clang-format-14 --dry-run --Werror
}

# Without tests/: Catch's macros take ten seconds a file. Largest files first, so that no core ends long before another.
check_lint() {
  find "${folders[@]}" -name '*.cpp' -printf '%s %p\n' | sort -rn | cut -d ' ' -f 2 |
    xargs -r -n 1 -P "$jobs" "clang-tidy-$(clang_version)" -p build-tsan --quiet
}

# sanitizer PRESET: builds and tests with a sanitizer, and notes what it leaves out and why.
sanitizer() {
  local preset=$1 line
  stage "$preset build" build "$preset" -DCMAKE_CXX_COMPILER="clang++-$(clang_version)"
  tests "$preset tests" "$preset" --no-tests=error
  while read -r line; do skips+=("$preset tests: left out: $line"); done <"build-$preset/tests/left-out.txt"
}

run_full() {
  if command -v clang-format-14 >/dev/null; then
    stage "format" check_format
  else
    skip "format" "clang-format-14 is not here, and other versions format differently"
  fi
  tests "slow tests" slow
  tests "tests held to AVX2" avx2 --no-tests=error
  sanitizer asan
  # Eight seconds of each of fifteen targets.
  stage "fuzzing" python3 tests/fuzz/fuzz.py run --seconds=8
  sanitizer tsan
  stage "lint" check_lint
}

begin=$SECONDS
say "[test] setup"
if [ "$full" = yes ]; then
  # shellcheck disable=SC2046
  set_up "$mode" "${test_packages[@]}" $(full_packages)
else
  set_up "$mode" "${test_packages[@]}"
fi
table+=("$(printf '%-30s %7d  passed' setup $((SECONDS - begin)))")

stage "configure" cmake --preset release
stage "build" cmake --build --preset release --parallel "$jobs"
tests "tests" release --no-tests=error
if [ "$full" = yes ]; then
  run_full
else
  skips+=("slow tests, AVX2, sanitizers, format, lint: run by ./test.sh --full")
fi
report
say "" "[test] passed"
