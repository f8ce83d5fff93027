#!/bin/sh
# Builds the distribution and runs a pair of brokers with their arbiter on this machine, until Ctrl-C.
# Usage: scripts/run-pair.sh [folder for the data of the three, default target/pair]
#
# Environment:
#   AVOCET_HOME   a distribution that is unpacked already; then nothing is built
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
folder=${1:-$root/target/pair}

home=${AVOCET_HOME:-}
if [ -z "$home" ]; then
    (cd "$root" && mvn -B -q -Dquick -DskipTests -Prun-broker -pl dist -am package)
    for built in "$root"/dist/target/avocet-*/avocet-*/; do
        home=$built
    done
fi
export AVOCET_HOME="$home"
exec "$home/bin/pair" "$folder"
