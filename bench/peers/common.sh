# shellcheck shell=bash
# Part of the launchers in this folder. Each of them takes
#
#   about                            what it is, and what its durability is worth: a line each
#   install                          puts it, in the version that the launcher names, into the cache folder
#   run memory|forced|tls PORT FOLDER    becomes the server: listens on 127.0.0.1:PORT, keeps its files in FOLDER, ends with SIGTERM
#
# "memory" forces nothing to disk; "forced" is the most durable that it has; "tls" is "memory" behind TLS with an RSA key of
# 2,048 bits. Environment:
#
#   AVOCET_PEERS   the cache folder; ~/.cache/avocet-peers without it
#   HEAP           of a server on the JVM; 1g without it
#   JAVA_HOME      the JDK of a server on the JVM
#
# A launcher sets name, version, durability and modes, and defines is_installed, install and run.
set -euo pipefail

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cache=${AVOCET_PEERS:-${HOME:-/tmp}/.cache/avocet-peers}
heap=${HEAP:-1g}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
modes="memory forced"

fail() {
    echo "${name:-peer}: $*" >&2
    exit 2
}

as_root() {
    if [[ $(id -u) == 0 ]]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

# apt_install PACKAGE...: from the distribution.
apt_install() {
    command -v apt-get >/dev/null || return 1
    as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qqy --no-install-recommends "$@" >/dev/null
}

# maven_libraries FOLDER GROUP ARTIFACT VERSION: that artifact, with all that it needs at run time.
maven_libraries() {
    local folder=$1
    rm -rf "$folder"
    mkdir -p "$folder"
    cat >"$folder/pom.xml" <<X
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>peer</groupId><artifactId>peer</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>$2</groupId><artifactId>$3</artifactId><version>$4</version></dependency>
  </dependencies>
</project>
X
    mvn -q -B -f "$folder/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
        -DincludeScope=runtime -DoutputDirectory="$folder"
}

# The folder of the built distribution.
distribution() {
    local folder
    if [[ -n ${AVOCET_DISTRIBUTION:-} ]]; then
        echo "$AVOCET_DISTRIBUTION"
        return
    fi
    for folder in "$bench"/../dist/target/avocet-*/avocet-* "$bench"/../dist/target/avocet-*; do
        if [[ -x $folder/bin/broker ]]; then
            (cd "$folder" && pwd -P)
            return
        fi
    done
    fail "there is no distribution; build it with 'mvn -Dquick -DskipTests package', or name its folder in AVOCET_DISTRIBUTION"
}

# key_store FOLDER: makes a certificate and its key there, and both in keys.p12 with the password "compared".
key_store() {
    certificate "$1"
    openssl pkcs12 -export -in "$1/cert.pem" -inkey "$1/key.pem" -name compared -passout pass:compared -out "$1/keys.p12"
}

# certificate FOLDER: makes cert.pem and key.pem there, for localhost.
certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
        -keyout "$1/key.pem" -out "$1/cert.pem" 2>/dev/null || fail "openssl makes no certificate; install the package openssl"
}

launcher() {
    case ${1:-} in
        about)
            printf '%s\n%s\n' "$name $version" "$durability"
            ;;
        install)
            is_installed || install
            ;;
        run)
            [[ $# == 4 && " $modes " == *" $2 "* ]] || fail "usage: run ${modes// /|} PORT FOLDER"
            is_installed || fail "not installed; run '$0 install'"
            mkdir -p "$4"
            run "$2" "$3" "$(cd "$4" && pwd -P)"
            ;;
        *)
            [[ -z ${1:-} ]] || ! declare -F "extra_$1" >/dev/null || { "extra_$1"; return; }
            fail "usage: about | install | run ${modes// /|} PORT FOLDER"
            ;;
    esac
}
