#!/bin/sh
# Installs the scanner's package and runs it, for hooks and pipelines. ASSAY_SCANNER is the package for npm: a name
# with its version, the address of a packed file, or its path.
set -e
package=${ASSAY_SCANNER:-@assay/scanner@0.1.0}
home=${XDG_CACHE_HOME:-$HOME/.cache}/assay-scanner/$(printf '%s' "$package" | cksum | tr ' ' -)
if [ ! -e "$home/node_modules/.package-lock.json" ]; then
  echo "Installing $package (once) …" >&2
  # In a separate folder, so that npm reads no settings from the scanned repository.
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-audit --no-fund --loglevel=error -- "$package" >&2 || exit 1
fi
exec "$home/node_modules/.bin/assay-scan" "$@"
