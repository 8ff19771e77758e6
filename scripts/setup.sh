# shellcheck shell=bash
# The set-up that quickstart.sh and test.sh share; sourced with the repository's root as working directory.
# It chooses compilers, finds missing packages and installs them. Nothing here uses the network except apt-get.

# ocl-icd-opencl-dev: the CMake file of Debian's libdnnl-dev looks for OpenCL.
# libjpeg-dev: on Debian as on Ubuntu it stands for libjpeg-turbo's own package, whose name differs.
build_packages=(cmake ninja-build ccache libdnnl-dev ocl-icd-opencl-dev libpng-dev libjpeg-dev libgif-dev zlib1g-dev
                libleveldb-dev libsnappy-dev libfmt-dev nlohmann-json3-dev catch2)
# The processor that the CPU guard's tests run programs on.
test_packages=(qemu-user)
least_gcc=12
least_cmake=3.22

# say LINE...
say() { printf '%s\n' "$@"; }

# fail EXIT_CODE LINE...: a message on stderr, one line per argument.
fail() {
  local code=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$code"
}

# "debian 12", "ubuntu 22.04", ...; empty words where /etc/os-release is missing.
distribution() {
  # shellcheck disable=SC1091
  (. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-}" "${VERSION_ID:-}")
}

# The package of a g++ that speaks C++20 well enough.
gcc_package() {
  case $(distribution) in
    "ubuntu 22.04") echo g++-12 ;;
    *) echo g++ ;;
  esac
}

# The clang version of ./test.sh --full: the distribution's default, since libc++abi, libomp and sanitizers match.
clang_version() {
  case $(distribution) in
    "ubuntu 24.04") echo 18 ;;
    "debian 13") echo 19 ;;
    *) echo 14 ;;
  esac
}

# Packages that ./test.sh --full needs on top.
full_packages() {
  local v
  v=$(clang_version)
  echo "clang-$v" "libclang-rt-$v-dev" "libomp-$v-dev" "clang-tidy-$v" clang-format-14
}

version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# missing_packages NAME...: those that dpkg does not know as installed.
missing_packages() {
  local name
  for name in "$@"; do
    dpkg -s "$name" 2>/dev/null | grep -q '^Status: install ok installed' || echo "$name"
  done
}

require_debian_family() {
  command -v apt-get >/dev/null && command -v dpkg >/dev/null && return
  fail 4 "[setup] expected Debian 12, Ubuntu 22.04 or newer (apt-get and dpkg); this system is '$(distribution)'." \
    "Install these yourself (Debian's names), then run: cmake --preset release && cmake --build build" \
    "  g++ (at least $least_gcc)" "$(printf '  %s\n' "${build_packages[@]}")"
}

# install_packages MODE NAME...: MODE is install, or list to print the commands and exit 4.
install_packages() {
  local mode=$1 apt=(env DEBIAN_FRONTEND=noninteractive apt-get)
  shift
  [ "$(id -u)" = 0 ] || apt=(sudo "${apt[@]}")
  if [ "$mode" = list ]; then
    fail 4 "[setup] missing packages: $*" "Install them with:" "  ${apt[*]} update" \
      "  ${apt[*]} install --no-install-recommends $*"
  fi
  command -v "${apt[0]}" >/dev/null ||
    fail 4 "[setup] missing packages: $*" \
      "Neither root nor sudo is here; as root, run: apt-get install --no-install-recommends $*"
  say "[setup] missing packages: $*" "[setup] installing them: ${apt[*]} install"
  "${apt[@]}" update -qq || fail 4 "[setup] apt-get update failed: see its message above"
  "${apt[@]}" install -y -qq --no-install-recommends "$@" >/dev/null ||
    fail 4 "[setup] apt-get install failed: see its message above"
}

# Sets CXX, unless the user did, to a g++ that is new enough; checks cmake and the processor.
check_tools() {
  export CXX=${CXX:-$(gcc_package)}
  local version
  command -v "${CXX%% *}" >/dev/null || fail 4 "[setup] expected a C++ compiler named '$CXX' (from CXX); there is none"
  if "$CXX" --version 2>/dev/null | grep -qi 'free software foundation'; then
    version=$("$CXX" -dumpfullversion -dumpversion)
    version_at_least "$version" "$least_gcc" ||
      fail 4 "[setup] expected g++ $least_gcc or newer; $CXX is $version. Name a newer one: CXX=g++-12 $0"
  fi
  version=$(cmake --version | sed -n 's/^cmake version //p')
  version_at_least "$version" "$least_cmake" ||
    fail 4 "[setup] expected cmake $least_cmake or newer; found ${version:-none}. Install a newer one (pip install cmake)."
  [ ! -r /proc/cpuinfo ] || grep -qw avx2 /proc/cpuinfo ||
    fail 4 "[setup] expected an x86-64 processor with AVX2 and FMA (2013 or newer); this one has none."
}

# set_up MODE NAME...: installs (or lists) what the build and the extra packages NAME... need.
set_up() {
  local mode=$1 missing
  shift
  require_debian_family
  mapfile -t missing < <(missing_packages "$(gcc_package)" "${build_packages[@]}" "$@")
  if [ ${#missing[@]} -gt 0 ]; then
    install_packages "$mode" "${missing[@]}"
  else
    say "[setup] every package is installed"
  fi
  check_tools
}
