#!/bin/sh
# Builds the broker from this clone, unless that is done already, and runs it on 127.0.0.1:1883. Arguments go to bin/broker.
#
#   scripts/run-broker.sh --endpoint 127.0.0.1:1884
#
# Its data goes to data/ at the top of the clone unless --data says otherwise. It builds the folder of the distribution in dist/target and nothing
# else: no tests, no archive, no benchmarks ('mvn -B verify' builds those). MAVEN_OPTS replaces the flags of Maven's JVM.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

say() { printf 'run-broker.sh: %s\n' "$*" >&2; }

# shellcheck source=build-broker.sh
. "$root/scripts/build-broker.sh"

for argument in "$@"; do
    case $argument in
        --data | --data=*) exec "$broker" "$@" ;;
    esac
done
exec "$broker" --data "$root/data" "$@"
