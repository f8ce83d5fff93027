#!/bin/sh
# Builds the broker from this clone and runs it on 127.0.0.1:1883. Arguments go to bin/broker.
#
#   scripts/run-broker.sh --endpoint 127.0.0.1:1884
#
# Its data goes to data/ at the top of the clone unless --data says otherwise.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
(cd "$root" && mvn -q -B -Dquick -DskipTests package)

set -- --data "$root/data" "$@"
for broker in "$root"/dist/target/avocet-*/avocet-*/bin/broker "$root"/dist/target/avocet-*/bin/broker; do
    if [ -x "$broker" ]; then
        exec "$broker" "$@"
    fi
done
echo "run-broker.sh: the build left no bin/broker under $root/dist/target" >&2
exit 1
