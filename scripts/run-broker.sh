#!/bin/sh
# Builds the broker from this clone, unless that is done already, and runs it on 127.0.0.1:1883. Arguments go to bin/broker.
#
#   scripts/run-broker.sh --endpoint 127.0.0.1:1884
#
# Its data goes to data/ at the top of the clone unless --data says otherwise. It builds the folder of the distribution in dist/target and nothing
# else: no tests, no archive, no benchmarks ('mvn -B verify' builds those). MAVEN_OPTS replaces the flags of Maven's JVM.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
target=$root/dist/target
built_from=$target/run-broker.sources

say() { printf 'run-broker.sh: %s\n' "$*" >&2; }

# A sum over the content of every file that the distribution is made of.
sources() {
    (cd "$root" && find pom.xml .mvn LICENSE NOTICE docs ./*/pom.xml ./*/src/main -type f -exec cksum {} + | LC_ALL=C sort | cksum)
}

# The build leaves one such folder.
find_broker() {
    for broker in "$target"/avocet-*/avocet-*/bin/broker; do
        if [ -x "$broker" ]; then
            return 0
        fi
    done
    return 1
}

now=$(sources)
if [ "$(cat "$built_from" 2>/dev/null)" != "$now" ] || ! find_broker; then
    if ! command -v mvn >/dev/null; then
        say "there is no Maven; install version 3.8.7 or newer, so that 'mvn' is on the path"
        exit 2
    fi
    say "building the broker; that takes less than a minute once Maven has fetched the libraries"
    rm -rf "$built_from" "$target"/avocet-*/
    # The quick compiler and the simple collector: Maven's JVM lives for seconds.
    (
        cd "$root"
        MAVEN_OPTS=${MAVEN_OPTS--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}
        export MAVEN_OPTS
        mvn -q -B -Dstyle.color=never -Dquick -Dmaven.test.skip=true -Prun-broker package
    )
    if ! find_broker; then
        say "the build left no bin/broker under $target"
        exit 1
    fi
    printf '%s\n' "$now" >"$built_from"
fi

for argument in "$@"; do
    case $argument in
        --data | --data=*) exec "$broker" "$@" ;;
    esac
done
exec "$broker" --data "$root/data" "$@"
