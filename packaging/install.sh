#!/bin/sh
# Installs Tandem: fetches the archive for this machine, compares it with its checksum, and puts the program in place.
#
#   TANDEM_URL          where the archives and SHA256SUMS are (default: where this script was released)
#   TANDEM_PREFIX       where to install (default: /usr/local for root, ~/.local for others)
#   TANDEM_TARGET       another build than the one this script would choose
#   TANDEM_SUMS_SHA256  the checksum of SHA256SUMS, if you got it from somewhere else than the server
#
# Nothing is changed before everything was compared. Nothing outside TANDEM_PREFIX is written.
set -eu

url=${TANDEM_URL:-@URL@}
version=@VERSION@

fail() { echo "install.sh: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

[ -n "$url" ] || fail "no address to fetch from: set TANDEM_URL to where the archives are"

if has curl; then fetch() { curl -fsSL --retry 3 -o "$2" "$1"; }
elif has wget; then fetch() { wget -q -O "$2" "$1"; }
else fail "neither curl nor wget is here: install one of them"; fi

if has sha256sum; then sum() { sha256sum "$1" | cut -d' ' -f1; }
elif has shasum; then sum() { shasum -a 256 "$1" | cut -d' ' -f1; }
elif has openssl; then sum() { openssl dgst -sha256 -r "$1" | cut -d' ' -f1; }
else fail "nothing here computes SHA-256 (sha256sum, shasum or openssl), so nothing can be verified"; fi

# The static build runs everywhere; the other one can load libraries, which GPUs and RDMA devices need.
libc() {
  found=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d' ' -f2) || found=
  [ -n "$found" ] || { echo musl; return; }
  major=${found%%.*} minor=${found#*.}; minor=${minor%%.*}
  if [ "$major" -gt 2 ] || [ "$minor" -ge 28 ]; then echo gnu; else echo musl; fi
}

if [ -n "${TANDEM_TARGET:-}" ]; then target=$TANDEM_TARGET
else
  case $(uname -s)/$(uname -m) in
    Linux/x86_64 | Linux/amd64) target=x86_64-unknown-linux-$(libc) ;;
    Linux/aarch64 | Linux/arm64) target=aarch64-unknown-linux-$(libc) ;;
    Darwin/arm64) target=aarch64-apple-darwin ;;
    *) fail "there is no build for $(uname -s) on $(uname -m); build it from source" ;;
  esac
fi

if [ -n "${TANDEM_PREFIX:-}" ]; then prefix=$TANDEM_PREFIX
elif [ "$(id -u)" = 0 ]; then prefix=/usr/local
else prefix=$HOME/.local; fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/tandem-install.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

name=tandem-$version-$target
fetch "$url/SHA256SUMS" "$folder/SHA256SUMS" || fail "cannot fetch $url/SHA256SUMS"
if [ -n "${TANDEM_SUMS_SHA256:-}" ]; then
  found=$(sum "$folder/SHA256SUMS")
  [ "$found" = "$TANDEM_SUMS_SHA256" ] || fail "SHA256SUMS has the checksum $found, expected $TANDEM_SUMS_SHA256"
fi
expected=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$folder/SHA256SUMS")
[ -n "$expected" ] || fail "$url/SHA256SUMS does not list $name.tar.gz"
fetch "$url/$name.tar.gz" "$folder/archive" || fail "cannot fetch $url/$name.tar.gz"
found=$(sum "$folder/archive")
[ "$found" = "$expected" ] || fail "$name.tar.gz has the checksum $found, expected $expected: nothing was installed"

tar -xzf "$folder/archive" -C "$folder" || fail "cannot unpack $name.tar.gz"
said=$("$folder/$name/tandem" --version) || fail "this machine cannot run the program built for $target"

put() { # FROM TO: over the old one at once, also while that runs
  mkdir -p "$(dirname "$2")"
  cp "$1" "$2.new.$$"
  chmod "$3" "$2.new.$$"
  mv -f "$2.new.$$" "$2"
}
put "$folder/$name/tandem" "$prefix/bin/tandem" 755
for page in "$folder/$name"/man/*.1; do put "$page" "$prefix/share/man/man1/${page##*/}" 644; done
put "$folder/$name/completions/tandem" "$prefix/share/bash-completion/completions/tandem" 644
put "$folder/$name/completions/_tandem" "$prefix/share/zsh/site-functions/_tandem" 644
put "$folder/$name/completions/tandem.fish" "$prefix/share/fish/vendor_completions.d/tandem.fish" 644

echo "$said is in $prefix/bin."
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "Add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
echo "Next: tandem up"
