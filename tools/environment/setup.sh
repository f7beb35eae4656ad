# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
# shellcheck shell=bash
#
# Where the program is built and run. A system that has the version floors is used as it
# is, its missing packages installed. Any other Linux gets a Debian 13 root folder in the
# cache, entered with bubblewrap and never written to after it is made.

readonly SUITE=trixie
readonly PACKAGES_DEBIAN=$SOURCE/tools/environment/packages.debian
readonly PACKAGES_FEDORA=$SOURCE/tools/environment/packages.fedora

say () { printf 'dev: %s\n' "$*" >&2; }
die () { say "$*"; exit 1; }

# Services, containers and `env -i` come without HOME; the user database knows it.
if [[ -z ${HOME:-} ]]; then
  HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
  [[ -n $HOME ]] || die "HOME is not set and user $(id -u) has no home: set HOME to a folder of yours"
  export HOME
fi

# As the XDG rules have it: a relative path counts as none.
if [[ ${XDG_CACHE_HOME:-} == /* ]]; then
  readonly CACHE=$XDG_CACHE_HOME/koboshi
else
  readonly CACHE=$HOME/.cache/koboshi
fi

package_list () { grep -v -e '^#' -e '^$' "$1"; }

as_root () {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo --preserve-env=DEBIAN_FRONTEND "$@"
  else
    die "this needs root: run it as root once, or install sudo. It wanted to run: $*"
  fi
}

# Prints debian, fedora or root: who provides the packages.
environment_kind () {
  # shellcheck source=/dev/null
  (
    ID='' VERSION_ID=''
    [[ -r /etc/os-release ]] && . /etc/os-release
    major=${VERSION_ID%%.*}
    case $ID in
      debian) if [[ -z $major || $major -ge 13 ]]; then echo debian; else echo root; fi ;;
      ubuntu) if [[ $major -ge 24 ]]; then echo debian; else echo root; fi ;;
      fedora) if [[ $major -ge 40 ]]; then echo fedora; else echo root; fi ;;
      *) echo root ;;
    esac
  )
}

apt_install () {
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq >&2
  as_root apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" >&2
}

install_debian () {
  local missing
  missing=$(package_list "$PACKAGES_DEBIAN" | while read -r package; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done)
  [[ -z $missing ]] && return
  say "installing" $missing
  # shellcheck disable=SC2086
  apt_install $missing
}

install_fedora () {
  local missing
  missing=$(package_list "$PACKAGES_FEDORA" | while read -r package; do
    rpm -q --whatprovides "$package" >/dev/null 2>&1 || echo "$package"
  done)
  [[ -z $missing ]] && return
  say "installing" $missing
  # shellcheck disable=SC2086
  as_root dnf install -y $missing >&2
}

# The folder's name carries the package list, so another list makes another folder.
root_folder () {
  local key
  key=$( (echo "$SUITE 1"; package_list "$PACKAGES_DEBIAN") | sha256sum | cut -c1-12)
  echo "$CACHE/root-$key"
}

install_root_tools () {
  command -v mmdebstrap >/dev/null && command -v bwrap >/dev/null && return
  say "installing mmdebstrap and bubblewrap"
  if command -v apt-get >/dev/null; then
    apt_install mmdebstrap bubblewrap
  elif command -v dnf >/dev/null; then
    as_root dnf install -y mmdebstrap bubblewrap debian-keyring >&2
  else
    die "install mmdebstrap and bubblewrap, then run this again"
  fi
}

# The host's own way to the package archive (proxy, retries, date checks) holds inside too.
apt_acquire_settings () {
  command -v apt-config >/dev/null || return 0
  apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-Valid-Until|Check-Date)' || true
}

make_root () {
  local root=$1 build settings
  install_root_tools
  mkdir -p "$CACHE"
  build=$root.partial
  settings=$(mktemp)
  apt_acquire_settings >"$settings"
  chmod 0644 "$settings"
  as_root rm -rf "$build"
  say "making a Debian 13 root folder (about a minute, once): $root"
  as_root mmdebstrap --quiet --variant=apt --include="$(package_list "$PACKAGES_DEBIAN" | paste -sd,)" \
    --aptopt="$settings" --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt=force-confdef --dpkgopt=force-confold \
    --customize-hook='rm -f "$1"/var/cache/apt/archives/*.deb; head -c16 /dev/urandom | od -An -tx1 | tr -d " \n" >"$1/etc/machine-id"' \
    "$SUITE" "$build" >"$CACHE/root.log" 2>&1 </dev/null ||
    { tail -n 20 "$CACHE/root.log" >&2; die "the root folder could not be made; the whole log is $CACHE/root.log"; }
  rm -f "$settings"
  as_root mv "$build" "$root"
  remove_old_roots
}

# Another clone may use another list: only folders that nobody entered for a month go.
remove_old_roots () {
  local stamp
  find "$CACHE" -maxdepth 1 -name 'root-*.used' -mtime +30 | while read -r stamp; do
    as_root rm -rf "${stamp%.used}"
    rm -f "$stamp"
  done
}

setup () {
  KIND=$(environment_kind)
  case $KIND in
    debian) install_debian ;;
    fedora) install_fedora ;;
    root)
      ROOT=$(root_folder)
      # One maker at a time: two clones may share the cache.
      mkdir -p "$CACHE" || die "the root folder needs a place: set XDG_CACHE_HOME to a folder of yours"
      exec 9>"$CACHE/setup.lock"
      flock 9
      [[ -d $ROOT ]] || make_root "$ROOT"
      touch "$ROOT.used"
      exec 9>&-
      ;;
  esac
}

# Runs a command where the packages are; the working directory and the environment stay.
inside () {
  if [[ $KIND != root ]]; then
    "$@"
    return
  fi
  local arguments=(
    --unshare-pid --die-with-parent
    --tmpfs / --ro-bind "$ROOT/usr" /usr --ro-bind "$ROOT/etc" /etc --ro-bind "$ROOT/var" /var
    --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink usr/lib64 /lib64
    --proc /proc --dev-bind /dev /dev --ro-bind /sys /sys
    --bind /tmp /tmp --tmpfs /var/tmp --dir /run
    --ro-bind-try /etc/resolv.conf /etc/resolv.conf --ro-bind-try /etc/hosts /etc/hosts
    # Whom the host trusts, the inside trusts: a company may have an authority of its own.
    --ro-bind-try /etc/ssl/certs /etc/ssl/certs
    --bind-try "$HOME" "$HOME" --bind-try "$CACHE" "$CACHE" --bind "$SOURCE" "$SOURCE"
    # The host's own tools, found first, would run against the wrong libraries.
    --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  )
  [[ -n ${XDG_RUNTIME_DIR:-} && -d ${XDG_RUNTIME_DIR:-} ]] &&
    arguments+=(--bind "$XDG_RUNTIME_DIR" "$XDG_RUNTIME_DIR")
  [[ -d $PWD ]] && arguments+=(--bind "$PWD" "$PWD" --chdir "$PWD")
  bwrap "${arguments[@]}" -- "$@"
}
