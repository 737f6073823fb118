# shellcheck shell=bash
# What the scripts share: messages, package lists, build folders. To be sourced.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
builds=${HWACHA_BUILD:-$here/build}
jobs=${HWACHA_JOBS:-$(nproc)}

say() { printf '\n== %s\n' "$*"; }
warn() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { local status=$1; shift; warn "$*"; exit "$status"; }

# The comment at the head of a script is its help text.
usage() { sed -n '2,/^[^#]/{/^#/!d;s/^# \{0,1\}//;p}' "$0"; }
wants_help() {
  local word
  for word in "$@"; do case $word in -h | --help) usage; exit 0 ;; esac; done
}

# The one list of Debian 12 packages, by purpose.
packages() {
  local purpose
  for purpose in "$@"; do
    case $purpose in
      build) echo cmake ninja-build clang-19 g++-12 gcc-12 libcli11-dev libfmt-dev nlohmann-json3-dev ;;
      bench) packages build; echo python3 python3-matplotlib python3-scipy binutils libcrypto++-dev libssl-dev libboost-math-dev llvm-19 valgrind ;;
      test) packages bench; echo googletest python3-jsonschema pkg-config libclang-rt-19-dev clang-format-19 ;;
      cross) packages build
        echo googletest qemu-user-static g++-12-aarch64-linux-gnu g++-12-s390x-linux-gnu g++-12-i686-linux-gnu ;;
      emulator) echo bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso cpio busybox-static bsdutils \
        linux-image-cloud-amd64 ;;
      prove) packages test cross emulator; echo valgrind shellcheck ;;
      *) die 2 "no package list is called '$purpose' (build, bench, test, cross, emulator, prove)" ;;
    esac
  done
}

missing_packages() {
  local name
  for name in $(packages "$@" | tr ' ' '\n' | sort -u); do
    dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || echo "$name"
  done
}

# need PURPOSE...: installs what is missing of these lists and nothing else.
need() {
  local missing admin=() log
  command -v dpkg-query >/dev/null || { warn "not a Debian system; going on with the programs at hand"; return 0; }
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die 1 "please install as root: apt-get install ${missing[*]}"
    admin=(sudo)
  fi
  say "installing ${missing[*]}"
  log=$(mktemp)
  local apt=("${admin[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  # A source list of somebody else's that cannot be reached must not stop packages that can.
  "${apt[@]}" update >"$log" 2>&1 </dev/null || warn "apt-get update was not complete; trying on"
  if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    die 1 "could not install ${missing[*]}"
  fi
  rm -f "$log"
}

# python_with MODULE...: prints a Python that imports them. A python3 that stands before the distribution's may not.
python_with() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $(IFS=,; echo "$*")" 2>/dev/null; then echo "$python"; return 0; fi
  done
  die 1 "no Python that has $*"
}

# The files of the repository, each name ended by a null byte: tracked and new ones, or all but build/ outside of git.
repository_files() {
  local file
  cd "$here" || return 1
  { git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print0; } |
    while IFS= read -r -d '' file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done
}

# configure NAME PRESET [CMAKE ARGUMENT...]: a build folder NAME under $builds from a preset.
configure() {
  local name=$1 preset=$2; shift 2
  if command -v ccache >/dev/null; then
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # ccache's terms for precompiled headers
    set -- -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
  fi
  mkdir -p "$builds"
  # Given always, since the folder may be one of another script's.
  (cd "$here" && cmake --preset "$preset" -B "$builds/$name" -DHWACHA_PLAIN_TESTS=OFF "$@" >"$builds/$name.configure.log" 2>&1) ||
    { tail -n 30 "$builds/$name.configure.log" >&2; return 1; }
}

# make NAME [TARGET...]: builds in that folder; prints the compiler's words only when it fails.
make() {
  local name=$1; shift
  cmake --build "$builds/$name" --parallel "$jobs" ${1:+--target "$@"} >"$builds/$name.build.log" 2>&1 ||
    { grep -E -A20 'error|FAILED|warning' "$builds/$name.build.log" | head -n 60 >&2 || tail -n 30 "$builds/$name.build.log" >&2; return 1; }
}
