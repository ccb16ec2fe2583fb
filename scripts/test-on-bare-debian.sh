#!/usr/bin/env bash
# Runs the tests of the last commit in a bare Debian: it contains only Node.js, npm, git, Python 3 and Go, no service
# has ever run, and nothing is left from an earlier installation or run. Needs root, debootstrap and about 4 GB of
# disk.
#
#   scripts/test-on-bare-debian.sh root|user [TEST FILE…]
#
# "root" runs npm test as root, which installs what tests need; "user" as an ordinary user on a system that has it.
# BARE_DEBIAN_BASE names a folder where the system built by debootstrap is stored for the next run (two minutes less).
# Each run works on a copy of it, in separate mount and process namespaces, and removes that copy. The settings for
# downloading packages (apt, npm, pip, Go, certificates) come from this machine.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
if [ "${1:-}" != inside ]; then
  case "${1:-}" in root | user) ;; *) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
  [ "$(id -u)" = 0 ] || { echo "This needs root: it makes a Debian system and mounts into it." >&2; exit 1; }
  for program in debootstrap unshare node npm git go; do
    command -v "$program" >/dev/null || { echo "This needs $program. On Debian: apt-get install debootstrap" >&2; exit 1; }
  done
  work="$(mktemp -d /var/tmp/bare-debian-XXXXXX)"
  trap 'rm -rf --one-file-system "$work"' EXIT
  # A process namespace, so that programs left running by tests end with it. A mount namespace, whose mounts vanish
  # with it.
  unshare --mount --pid --fork --kill-child --uts --ipc "$0" inside "$work" "$@"
  exit
fi

shift
root="$1/root" who="$2"
shift 2

make_base() {
  # The release and mirror of this machine if it runs Debian; else the defaults of debootstrap.
  local release mirror
  release="$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME" || echo stable)"
  mirror="$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | head -1)"
  echo "Making a bare Debian ($release) …"
  debootstrap --variant=minbase "$release" "$1" ${mirror:+"$mirror"} >"$1.log" 2>&1 || { tail "$1.log" >&2; exit 1; }
}

base="${BARE_DEBIAN_BASE:-}"
if [ -n "$base" ]; then
  [ -d "$base" ] || { make_base "$base.new" && mv "$base.new" "$base"; }
  cp -a "$base" "$root"
else
  make_base "$root"
fi

# Name resolution for package downloads.
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
cp -r /etc/apt/apt.conf.d /etc/apt/sources.list* "$root/etc/apt/" 2>/dev/null || true
cp -r /usr/local/share/ca-certificates "$root/usr/local/share/" 2>/dev/null || true
cat /etc/pip.conf ~/.config/pip/pip.conf 2>/dev/null >"$root/etc/pip.conf" || true
mkdir -p "$root/usr/local/etc"
cat "$(npm config get globalconfig 2>/dev/null)" "$(npm config get userconfig 2>/dev/null)" 2>/dev/null >"$root/usr/local/etc/npmrc" || true

# Node.js, npm and Go of this machine: Debian's own may be too old.
cp "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -rL "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
cp -r "$(go env GOROOT)" "$root/usr/local/go"

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$root/run"

settings=(LC_ALL=C.UTF-8 CI=1 "GOPROXY=$(go env GOPROXY)" "GOSUMDB=$(go env GOSUMDB)" "GONOSUMDB=$(go env GONOSUMDB)")
while IFS= read -r setting; do settings+=("$setting"); done < <(
  env | grep -Ei '^(https?_proxy|no_proxy|npm_config_(registry|proxy|https_proxy|cafile)|PIP_[A-Z_]+|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|GIT_SSL_CAINFO)=' || true
)
if [ -n "${PIP_FIND_LINKS:-}" ] && [ -d "$PIP_FIND_LINKS" ]; then
  mkdir -p "$root$PIP_FIND_LINKS" && mount --bind "$PIP_FIND_LINKS" "$root$PIP_FIND_LINKS"
fi
if [ -n "${ASSAY_TEST_DATA:-}" ]; then
  mkdir -p "$root/srv/test-data" && mount --bind -o ro "$ASSAY_TEST_DATA" "$root/srv/test-data"
  settings+=(ASSAY_TEST_DATA=/srv/test-data)
fi

path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/go/bin
within() { chroot "$root" env -i "PATH=$path" "${settings[@]}" "$@"; }

echo "Installing git and Python 3 …"
for step in update 'install --no-install-recommends ca-certificates git python3'; do
  # shellcheck disable=SC2086
  within DEBIAN_FRONTEND=noninteractive apt-get -qq -y $step >"$root/tmp/apt.log" 2>&1 || { tail "$root/tmp/apt.log" >&2; exit 1; }
done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

home=/root
if [ "$who" = user ]; then
  home=/home/tester
  within useradd --create-home --shell /bin/bash tester
fi
git clone -q --no-hardlinks "$here" "$root$home/assay"

if [ "$who" = root ]; then
  within HOME=$home sh -c 'cd ~/assay && exec npm test --silent -- "$@"' sh "$@"
else
  within HOME=/root sh -c "cd $home/assay && exec node --input-type=module -e '
    const { ensurePrograms, programsOf } = await import(\"$home/assay/scripts/programs.mjs\");
    ensurePrograms(programsOf(process.argv.slice(1)), \"The tests\")' -- \"\$@\"" sh "$@"
  within chown -R tester: "$home/assay"
  within HOME=$home USER=tester runuser -u tester -- sh -c 'cd ~/assay && exec npm test --silent -- "$@"' sh "$@"
fi
