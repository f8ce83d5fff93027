#!/usr/bin/env bash
# Installs the MQTT clients that are not Java and that the interoperability tests drive: MQTT.js, Paho for Python and
# mosquitto_pub / mosquitto_sub. The first two go to a cache folder of the user, in the versions that the lock files say.
#   AVOCET_TEST_CLIENTS  the cache folder; ~/.cache/avocet-test-clients without it
set -euo pipefail
cd "$(dirname "$0")/.."
sources=broker-mqtt/src/test/clients
cache=${AVOCET_TEST_CLIENTS:-$HOME/.cache/avocet-test-clients}

as_root() {
    if [[ $(id -u) == 0 ]]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

# apt_install COMMAND PACKAGE...: from the distribution, where a command is missing and we may.
apt_install() {
    local command=$1
    shift
    if command -v "$command" >/dev/null; then return; fi
    if ! command -v apt-get >/dev/null || ! as_root apt-get update -q; then
        echo "install-test-clients: cannot install $*; $command is missing" >&2
        return
    fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
}

# up_to_date FOLDER FILE: the folder was made from this very lock file.
up_to_date() {
    cmp -s "$2" "$1/installed-from"
}

install_node_client() {
    local folder=$cache/node lock=$sources/node/package-lock.json
    if up_to_date "$folder" "$lock"; then return; fi
    apt_install npm nodejs npm
    mkdir -p "$folder"
    cp "$sources/node/package.json" "$lock" "$folder/"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund)
    cp "$lock" "$folder/installed-from"
}

install_python_client() {
    local folder=$cache/python lock=$sources/python/requirements.txt
    if up_to_date "$folder" "$lock"; then return; fi
    apt_install python3 python3
    rm -rf "$folder"
    if ! python3 -m venv "$folder"; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3-venv
        python3 -m venv "$folder"
    fi
    "$folder/bin/pip" install -q --disable-pip-version-check --require-hashes -r "$lock"
    cp "$lock" "$folder/installed-from"
}

# A browser without a window, for the pages that the harnesses write. Ubuntu has it under another name.
install_browser() {
    local program
    for program in chromium-headless-shell chromium chromium-browser google-chrome; do
        if command -v "$program" >/dev/null; then return; fi
    done
    apt_install chromium-headless-shell chromium-headless-shell || apt_install chromium chromium
}

apt_install mosquitto_pub mosquitto-clients
install_browser
install_node_client
install_python_client
echo "install-test-clients: ready in $cache"
