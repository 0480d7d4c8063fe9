#!/bin/sh
# The main job on a real example: one honest edit, which must be kept, and one attack, which must not.
# Fails if either ends in another way than it should.
set -u
cd "$(dirname "$0")/.."
task=corpus/tasks/sort

run() { # run EXPECTED-STATUS EDIT WHAT-IT-IS
    printf '\n# %s\n$ samespec check %s/original.rs %s/edits/%s/submitted.rs\n' "$3" "$task" "$task" "$2"
    samespec check "$task/original.rs" "$task/edits/$2/submitted.rs"
    status=$?
    printf '(exit status %s)\n' "$status"
    if [ "$status" -ne "$1" ]; then
        printf 'demo: expected exit status %s for %s\n' "$1" "$2" >&2
        exit 1
    fi
}

run 0 no_descent "an honest edit: the definition of ascending, in other words"
run 1 compared_with_itself "an attack: the contract stands untouched, and a word in it means nothing any more"
