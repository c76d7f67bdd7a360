#!/bin/sh
# setup.sh: from a bare clone to a running amux.
#   ./setup.sh run [ARGUMENT...]      install what is missing, build, start ./amux new-session (or amux ARGUMENT...)
#   ./setup.sh check                  install what is missing, build, run every test
#   ./setup.sh build                  install what is missing, build
#   ./setup.sh install [--prefix DIR] install the build (default /usr/local)
#   ./setup.sh uninstall [--prefix DIR]
set -eu
cd "$(dirname "$0")"
here=$(pwd)

# What to build with, and what the tests drive besides.
build_packages="autoconf automake gcc libc6-dev make pkg-config libevent-dev libvterm-dev libncurses-dev
libutf8proc-dev libjansson-dev libpcre2-dev"
check_packages="check mandoc openssh-server openssh-client procps bash zsh fish vim-nox less htop mc tig dialog
git python3 tmux ncurses-term"

say() { printf '%s\n' "$*"; }
die() { printf 'setup.sh: %s\n' "$*" >&2; exit 1; }
usage() { sed -n '2,7s/^# \{0,1\}//p' setup.sh; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}
can_be_root() {
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    # A password may be asked for only where somebody can type it.
    sudo -n true 2>/dev/null || { [ -t 0 ] && [ -t 2 ] && sudo -v; }
}

# The libraries are what pkg-config finds, so that a private build of one counts as there; programs
# count by their name.
has_package() {
    case $1 in
    libevent-dev) pkg-config --exists libevent_core 2>/dev/null ;;
    libvterm-dev) pkg-config --exists vterm 2>/dev/null ;;
    libncurses-dev) pkg-config --exists tinfo 2>/dev/null ;;
    libutf8proc-dev) pkg-config --exists libutf8proc 2>/dev/null ;;
    libjansson-dev) pkg-config --exists jansson 2>/dev/null ;;
    libpcre2-dev) pkg-config --exists libpcre2-8 2>/dev/null ;;
    check) pkg-config --exists check 2>/dev/null ;;
    gcc) command -v "${CC:-cc}" >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 ;;
    libc6-dev) [ -e /usr/include/stdlib.h ] ;;
    openssh-server) [ -x /usr/sbin/sshd ] ;;
    openssh-client) command -v ssh-keygen >/dev/null 2>&1 ;;
    procps) command -v pgrep >/dev/null 2>&1 ;;
    vim-nox) command -v vim >/dev/null 2>&1 ;;
    ncurses-term) [ -e /usr/share/terminfo/f/foot ] || [ -e /usr/share/terminfo/f/foot+base ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}
missing_of() {
    out=
    for p in "$@"; do has_package "$p" || out="$out $p"; done
    printf '%s' "$out"
}

ensure() { # packages...
    want=$(missing_of "$@")
    [ -n "$want" ] || return 0
    command -v apt-get >/dev/null 2>&1 || die "these are missing:$want (no apt-get here; install them by hand)"
    can_be_root || die "these packages are missing:$want (as root: apt-get install$want)"
    say "installing:$want"
    log=$(mktemp)
    # shellcheck disable=SC2086
    if ! { as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $want; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2; rm -f "$log"
        die "apt-get could not install them"
    fi
    rm -f "$log"
}

build() {
    # Only what changed: the configure script when its sources did, the rest by make.
    if [ ! -e configure ] || [ configure.ac -nt configure ] || [ ! -e Makefile.in ]; then
        say "making the configure script"
        autoreconf -fi >build.log 2>&1 || { tail -n 20 build.log >&2; die "autoreconf failed"; }
    fi
    if [ ! -e Makefile ] || [ configure -nt config.status ]; then
        ./configure -q "$@" || die "configure failed"
    fi
    say "building"
    make -s -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" all || die "make failed"
}

prefix=/usr/local
parse_prefix() {
    while [ $# -gt 0 ]; do
        case $1 in
        --prefix) [ $# -ge 2 ] || die "--prefix needs a directory"; prefix=$2; shift 2 ;;
        --prefix=*) prefix=${1#--prefix=}; shift ;;
        *) die "unknown argument: $1" ;;
        esac
    done
    case $prefix in /*) ;; *) die "--prefix needs an absolute directory: $prefix" ;; esac
}
with_rights() { # for writing below $prefix
    d=$prefix
    while [ ! -e "$d" ]; do d=$(dirname "$d"); done
    if [ -w "$d" ]; then "$@"; elif can_be_root; then as_root "$@"; else die "cannot write to $prefix (sudo, or --prefix \"\$HOME/.local\")"; fi
}

is_ours() { # told by a text in the file: a program that is not ours is not run
    grep -q 'amux: server (' "$1" 2>/dev/null
}

install_amux() {
    parse_prefix "$@"
    # Another program of this name exists; whoever has it first in PATH would start that one.
    other=$(command -v amux 2>/dev/null || true)
    if [ -n "$other" ] && [ "$other" != "$prefix/bin/amux" ] && ! is_ours "$other"; then
        die "another program called amux comes first in PATH: $other; remove it, or put $prefix/bin before it"
    fi
    # shellcheck disable=SC2086
    ensure $build_packages
    build --prefix="$prefix"
    if ! grep -q "^prefix = $prefix\$" Makefile; then ./configure -q --prefix="$prefix" && make -s all; fi
    with_rights make -s install >/dev/null
    host=$(hostname 2>/dev/null || echo HOST)
    say "installed $prefix/bin/amux"
    # A shell started by ssh for one command has the short PATH of sshd.
    case $prefix in
    /usr | /usr/local) say "from elsewhere: ssh -t $host amux attach" ;;
    *) say "from elsewhere: ssh -t $host $prefix/bin/amux attach" ;;
    esac
    case ":$PATH:" in *":$prefix/bin:"*) ;; *) say "$prefix/bin is not in PATH here" ;; esac
}

verb=${1:-}
[ $# -gt 0 ] && shift
case $verb in
run)
    # shellcheck disable=SC2086
    ensure $build_packages
    build
    [ $# -gt 0 ] || set -- new-session
    exec ./amux "$@"
    ;;
build)
    # shellcheck disable=SC2086
    ensure $build_packages
    build "$@"
    ;;
check)
    # shellcheck disable=SC2086
    ensure $build_packages $check_packages
    if [ -e Makefile ] && grep -q '^HAVE_CHECK_FALSE = $' Makefile; then :; elif [ -e Makefile ]; then rm -f Makefile; fi
    build
    make -s lint
    make -s -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" check VERBOSE=1
    ;;
install) install_amux "$@" ;;
uninstall)
    parse_prefix "$@"
    [ -e Makefile ] || die "nothing was built here ($here)"
    if ! grep -q "^prefix = $prefix\$" Makefile; then ./configure -q --prefix="$prefix"; fi
    with_rights make -s uninstall >/dev/null
    say "removed from $prefix"
    ;;
-h | --help | help) usage ;;
*) usage >&2; exit 1 ;;
esac
