#!/usr/bin/env bash
# The GitHub Action's work (action.yml): annotations on standard output, a summary, SARIF where it is wanted.
# In: SAMESPEC_BASE, SAMESPEC_PATHS, SAMESPEC_STRICT, SAMESPEC_UNDECIDED, SAMESPEC_SARIF. Exit status: 0 pass, 1 not kept or (by
# default) undecided, 2 wrong usage.
set -euo pipefail

arguments=(diff)
if [ "${SAMESPEC_STRICT:-false}" = true ]; then arguments+=(--strict); fi
if [ -n "${SAMESPEC_BASE:-}" ]; then arguments+=("$SAMESPEC_BASE...HEAD"); else arguments+=(HEAD~1 HEAD); fi
read -r -a paths <<<"${SAMESPEC_PATHS:-}"
arguments+=(${paths[@]+"${paths[@]}"})

status=0
samespec "${arguments[@]}" --format github || status=$?
if [ "$status" -eq 2 ]; then exit 2; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    samespec "${arguments[@]}" --format markdown >>"$GITHUB_STEP_SUMMARY" || [ $? -ne 2 ]
fi
if [ -n "${SAMESPEC_SARIF:-}" ]; then
    samespec "${arguments[@]}" --format sarif >"$SAMESPEC_SARIF" || [ $? -ne 2 ]
fi
if [ "$status" -eq 3 ] && [ "${SAMESPEC_UNDECIDED:-fail}" = pass ]; then status=0; fi
exit $((status == 0 ? 0 : 1))
