#!/usr/bin/env bash
# Grades a class on a cluster that runs Slurm: a job array over the students, and a job behind it that puts the parts
# together. In a clone of the course on a file system that all nodes see:
#
#     cargo build --release --package learn
#     exercises/class/slurm.sh DIR OUT [what `cargo learn grade` takes, such as --points FILE]
#
# DIR has a folder for each student. OUT gets grades.csv, grades.json and grades.xml (JUnit), parts/ and logs/, and cache/
# with the verdicts. TASKS says how many tasks; where it is not set, one for each student, and 200 at most. LEARN names
# another `learn`. Partition, account and the like come from Slurm's own SBATCH_PARTITION, SBATCH_ACCOUNT and so on.
#
# By hand it is `sbatch --array=0-N exercises/class/slurm.sh DIR OUT` in the course's folder, then, when all have ended,
# `exercises/class/slurm.sh --merge OUT`. Tasks that were lost are named there, with the command that runs them again.
#
#SBATCH --job-name=learn-grade
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
set -euo pipefail

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 2
}

usage="usage: slurm.sh DIR OUT [options of \`cargo learn grade\`], or slurm.sh --merge OUT"
case "${1:-}" in
    --merge) [ $# -eq 2 ] || fail "$usage" ;;
    ''|-*) fail "$usage" ;;
    *) [ $# -ge 2 ] || fail "$usage" ;;
esac

# Slurm runs a copy of this file from a folder of its own: there, the course is what the submitting run said, or where
# `sbatch` was called.
if [ -n "${SLURM_JOB_ID:-}" ]; then
    course="${COURSE:-$SLURM_SUBMIT_DIR}"
else
    course="$(cd "$(dirname "$0")/../.." && pwd)"
fi
learn="${LEARN:-$course/target/release/learn}"
[ -x "$learn" ] || fail "$learn is not there on $(hostname); build it in the course's folder: cargo build --release --package learn"

# All parts or nothing: a class of which a part is missing must not look graded.
merge() {
    local out="$1" tasks parts=() lost=()
    tasks="$(cat "$out/parts/tasks")" || fail "$out is no folder of such a run"
    for ((task = 0; task < tasks; task++)); do
        if [ -s "$out/parts/$task.json" ]; then parts+=("$out/parts/$task.json"); else lost+=("$task"); fi
    done
    if [ ${#lost[@]} -gt 0 ]; then
        fail "no grades from task ${lost[*]} of $tasks; see $out/logs, then: TASKS=$tasks sbatch --array=$(IFS=,; echo "${lost[*]}") exercises/class/slurm.sh ..."
    fi
    for pair in csv:csv json:json junit:xml; do
        "$learn" merge --format "${pair%:*}" "${parts[@]}" > "$out/grades.${pair#*:}.new"
        mv "$out/grades.${pair#*:}.new" "$out/grades.${pair#*:}"
    done
    echo "$out/grades.csv"
}

# One task: its share of the students. Status 1 says that something could not be judged; the part is whole all the same.
grade_share() {
    local folder="$1" out="$2" tasks part status=0
    shift 2
    tasks="${TASKS:-$((SLURM_ARRAY_TASK_MAX + 1))}"
    part="$out/parts/$SLURM_ARRAY_TASK_ID.json"
    mkdir -p "$out/parts"
    echo "$tasks" > "$out/parts/tasks"
    "$learn" grade "$folder" --share "$((SLURM_ARRAY_TASK_ID + 1))/$tasks" --cache "$out/cache" --format json "$@" \
        > "$part.new" || status=$?
    [ "$status" -le 1 ] || fail "task $SLURM_ARRAY_TASK_ID on $(hostname) graded nothing; \`$learn doctor\` there says what is missing"
    mv "$part.new" "$part"
    return "$status"
}

submit() {
    local folder="$1" out="$2" students tasks array last
    shift 2
    command -v sbatch >/dev/null || fail "there is no sbatch here; without Slurm: cargo learn grade $folder"
    [ -d "$folder" ] || fail "$folder is no folder"
    folder="$(cd "$folder" && pwd)"
    students="$(find "$folder" -mindepth 1 -maxdepth 1 -type d ! -name '.*' -printf . | wc -c)"
    [ "$students" -gt 0 ] || fail "$folder has no folder of a student in it"
    tasks="${TASKS:-$((students < 200 ? students : 200))}"
    mkdir -p "$out/parts" "$out/logs"
    out="$(cd "$out" && pwd)"
    rm -f "$out"/parts/*.json "$out"/grades.*
    echo "$tasks" > "$out/parts/tasks"
    export COURSE="$course" TASKS="$tasks"
    array="$(sbatch --parsable --export=ALL --array="0-$((tasks - 1))" --output="$out/logs/%a.log" \
        "$course/exercises/class/slurm.sh" "$folder" "$out" "$@")"
    # After all tasks, however they ended: merging names those that are lost.
    last="$(sbatch --parsable --export=ALL --dependency="afterany:${array%%;*}" --output="$out/logs/merge.log" \
        "$course/exercises/class/slurm.sh" --merge "$out")"
    echo "$students students in $tasks tasks: job ${array%%;*}; then job ${last%%;*} writes $out/grades.csv"
}

if [ "$1" = --merge ]; then
    merge "$2"
elif [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    grade_share "$@"
else
    submit "$@"
fi
