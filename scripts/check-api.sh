#!/usr/bin/env bash
# Holds a broker that runs against the OpenAPI document that it serves, with Schemathesis: requests that fit the document and some that do
# not, and what may come back. Takes the distribution that the build has made; the broker listens on free ports of this machine
# and is gone afterwards. Takes about half a minute, and a minute more for the first time.
#   AVOCET_SCHEMATHESIS  the folder for the Python packages; ~/.cache/avocet-schemathesis without it
# Where Python or its packages cannot be had, says so and ends well, unless CI is true.
# Each run sends the same requests; other arguments go to Schemathesis, such as --max-examples 200 or another --seed.
set -euo pipefail
cd "$(dirname "$0")/.."
version=4.32.5
cache=${AVOCET_SCHEMATHESIS:-$HOME/.cache/avocet-schemathesis}

skip() {
    echo "check-api: $*" >&2
    if [[ ${CI:-} == true ]]; then exit 1; fi
    echo "check-api: skipped" >&2
    exit 0
}

distribution=$(ls dist/target/avocet-*.tar.gz 2>/dev/null | head -n 1)
if [[ -z $distribution ]]; then
    echo "check-api: there is no distribution in dist/target; build it with 'mvn -Dquick -DskipTests verify'" >&2
    exit 1
fi
if [[ $(cat "$cache/version" 2>/dev/null) != "$version" ]]; then
    command -v python3 >/dev/null || skip "there is no python3"
    rm -rf "$cache"
    python3 -m venv "$cache" || skip "Python cannot make a virtual environment; install python3-venv"
    "$cache/bin/pip" install -q "schemathesis==$version" || skip "the package schemathesis cannot be installed"
    echo "$version" >"$cache/version"
fi

work=$(mktemp -d)
broker=
finish() {
    if [[ -n $broker ]]; then
        kill "$broker" 2>/dev/null || true
        wait "$broker" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap finish EXIT

mkdir "$work/broker"
tar xzf "$distribution" -C "$work/broker" --strip-components=1
# without the throttle, as half of the requests are made to fail
echo '{"store": {"mode": "memory"}, "security": {"throttleLogins": false}}' >"$work/broker.json"
"$work/broker/bin/broker" --data "$work/data" --config "$work/broker.json" --endpoint 127.0.0.1:0 --admin 127.0.0.1:0 \
    >"$work/out" 2>"$work/log" &
broker=$!
for _ in $(seq 120); do
    if grep -q '^ready' "$work/out" || ! kill -0 "$broker" 2>/dev/null; then break; fi
    sleep 0.5
done
url=$(sed -n 's/^listening on \([^ ]*\) for http,.*/http:\/\/\1/p' "$work/out")
if [[ -z $url ]]; then
    cat "$work/out" "$work/log" >&2
    exit 1
fi

curl -sf "$url/api/v1/configuration" -d '{"AdminUserPassword": "check"}' >/dev/null
cd "$work"
# What fits the document may be refused all the same, as names and references have rules that it cannot tell.
status=0
"$cache/bin/schemathesis" run "$url/api/v1/openapi.json" --url "$url/api/v1" \
    -H "Authorization: Basic $(printf 'admin:check' | base64)" \
    --phases examples,coverage,fuzzing --max-examples 20 --exclude-checks positive_data_acceptance \
    --suppress-health-check all --seed 1 "$@" || status=$?
if grep -E ' ERROR ' "$work/log"; then
    echo "check-api: the broker has logged errors" >&2
    status=1
fi
exit "$status"
