#!/bin/sh
# Builds the broker from this clone, unless that is done already, and runs a pair of brokers with their arbiter on this machine, until Ctrl-C.
#
#   scripts/run-pair.sh [FOLDER]   the data of the three lies there (default: target/pair at the top of the clone)

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

say() { printf 'run-pair.sh: %s\n' "$*" >&2; }

# shellcheck source=build-broker.sh
. "$root/scripts/build-broker.sh"

exec "$(dirname "$broker")/pair" "${1:-$root/target/pair}"
