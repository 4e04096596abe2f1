#!/bin/sh
# Measures three times, each in a process of its own, and takes the medians. For a machine with an NVIDIA GPU and its driver;
# nothing else is needed.
#
#     ./run.sh [FOLDER [OPTION...]]      results go to FOLDER (results); options are those of ./bench, such as --quick
set -eu
to="${1:-results}"
[ $# -gt 0 ] && shift
mkdir -p "$to"
to="$(cd "$to" && pwd)"
cd "$(dirname "$0")"

status=0
for run in 1 2 3; do
    rm -f "$to/run$run.json"
    ./bench "$@" --json "$to/run$run.json" || status=1
    # Without a GPU the program has said so, and there is nothing to merge.
    [ -s "$to/run$run.json" ] || exit $status
done
./bench --merge "$to/run1.json" "$to/run2.json" "$to/run3.json" --json "$to/bench.json" --csv "$to/bench.csv"
exit $status
