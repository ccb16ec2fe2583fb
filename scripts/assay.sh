#!/bin/sh
# Runs Assay of this clone, for hooks and pipelines: installs what it runs on first, without what only development needs.
set -e
home=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
if [ ! -e "$home/node_modules/.package-lock.json" ]; then
  echo 'Installing Assay (about a minute, once) …' >&2
  # The variables by which git names a repository to its hooks are not meant for npm.
  (cd "$home" && unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE && npm ci --omit=dev --no-audit --no-fund --loglevel=error) >&2 || exit 1
fi
exec node "$home/server/assay.mjs" "$@"
