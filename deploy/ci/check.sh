#!/bin/sh
# Check agent cards in GitHub Actions: annotations, a SARIF file, and a summary of the job. Used by action.yml.
#
# Environment:
#   CARDS    files, folders and patterns, one per line; default: the folder
#   OPTIONS  further options of `cardwright check`, one per line, such as --strict
#   SARIF    the SARIF file to write
#   COMMENT  "true" to put the summary into a comment on the pull request as well (needs GH_TOKEN and PR)
set -u -f

# The lines become arguments; each may have spaces.
newline='
'
IFS=$newline
# shellcheck disable=SC2086 # split at lines on purpose
set -- ${OPTIONS:-} -- ${CARDS:-.}
unset IFS

cardwright check --format github "$@"
status=$?
# A committed link would lead the report to another file.
if [ -L "${SARIF:-cards.sarif}" ]; then rm -- "${SARIF:-cards.sarif}"; fi
cardwright check --format sarif --output "${SARIF:-cards.sarif}" "$@" >/dev/null 2>&1

summary=$(mktemp)
trap 'rm -f "$summary"' EXIT
{
  if [ "$status" -eq 0 ]; then echo "### Agent cards: valid"; else echo "### Agent cards: not valid"; fi
  echo
  # Cards are text of others: a fence that no line of the report can close, since every line of it has a prefix.
  echo '~~~text'
  cardwright check "$@" 2>&1 | sed 's/^/ /'
  echo '~~~'
} >"$summary"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$summary" >>"$GITHUB_STEP_SUMMARY"; fi
if [ "${COMMENT:-}" = true ] && [ -n "${PR:-}" ]; then
  gh pr comment "$PR" --edit-last --create-if-none --body-file "$summary" ||
    echo "::warning title=cardwright::the summary could not be put into a comment; the job needs the permission pull-requests: write"
fi
exit "$status"
