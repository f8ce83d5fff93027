#!/usr/bin/env bash
# Installs the clients that are not Java and that the interoperability tests drive: for MQTT MQTT.js, Paho for Python and
# mosquitto_pub / mosquitto_sub; for AMQP rhea, Qpid Proton for Python and go-amqp. All but mosquitto's go to a cache folder
# of the user, in the versions that the lock files say.
# Mosquitto's server is installed too, a browser, promtool of Prometheus, which checks the metrics, OpenLDAP's server, and
# what checks the files for containers and services: hadolint and systemd-analyze.
# So are the half of Playwright that drives the browser, for the tests of the console, and axe-core, which looks whether all
# can read the pages.
#   AVOCET_TEST_CLIENTS  the cache folder; ~/.cache/avocet-test-clients without it
set -euo pipefail
cd "$(dirname "$0")/.."
sources=broker-mqtt/src/test/clients
amqp_sources=broker-server/src/test/clients
lint_sources=dist/src/test/clients/lint
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

# install_node_client FOLDER SOURCES
install_node_client() {
    local folder=$1 lock=$2/package-lock.json
    if up_to_date "$folder" "$lock"; then return; fi
    apt_install npm nodejs npm
    mkdir -p "$folder"
    cp "$2/package.json" "$lock" "$folder/"
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund)
    cp "$lock" "$folder/installed-from"
}

# install_python_client FOLDER SOURCES
install_python_client() {
    local folder=$1 lock=$2/requirements.txt
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

# Its Java half looks for a folder of that name.
install_playwright() {
    install_node_client "$cache/playwright" dist/src/test/clients/playwright
    ln -sfn node_modules/playwright-core "$cache/playwright/package"
}

# What Proton's C library is built with; its own SASL is enough for PLAIN, ANONYMOUS and EXTERNAL.
install_proton_tools() {
    if up_to_date "$cache/amqp-python" "$amqp_sources/amqp-python/requirements.txt"; then return; fi
    apt_install cc build-essential
    apt_install cmake cmake
    apt_install pkg-config pkg-config
    if ! pkg-config --exists openssl; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends libssl-dev
    fi
    if ! python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3-dev
    fi
}

install_go_client() {
    local folder=$cache/amqp-go sources=$amqp_sources/amqp-go go=go
    mkdir -p "$folder"
    cat "$sources"/go.mod "$sources"/go.sum "$sources"/main.go "$sources"/addresses/main.go >"$folder/wanted"
    if up_to_date "$folder" "$folder/wanted"; then return; fi
    if ! command -v go >/dev/null && [[ -x /usr/local/go/bin/go ]]; then
        go=/usr/local/go/bin/go
    else
        apt_install go golang-go
    fi
    (cd "$sources" && CGO_ENABLED=0 "$go" build -mod=readonly -trimpath -o "$folder/" . ./addresses)
    mv "$folder/testclient" "$folder/client"
    mv "$folder/wanted" "$folder/installed-from"
}

# The server, for the pre-shared keys of mqttbench; what the distribution starts with it would take the port.
install_mosquitto() {
    if command -v mosquitto >/dev/null || [[ -x /usr/sbin/mosquitto ]]; then return; fi
    apt_install mosquitto mosquitto
    if command -v systemctl >/dev/null; then as_root systemctl disable -q --now mosquitto || true; fi
}

# promtool checks the metrics and the alerts; the server that comes with it is not wanted.
install_promtool() {
    if command -v promtool >/dev/null; then return; fi
    apt_install promtool prometheus
    if command -v systemctl >/dev/null; then as_root systemctl disable -q --now prometheus prometheus-node-exporter || true; fi
}

# OpenLDAP's server, for the tests of logins; what the distribution starts with it would take the port.
install_openldap() {
    if command -v slapd >/dev/null || [[ -x /usr/sbin/slapd ]]; then return; fi
    apt_install slapd slapd
    if command -v systemctl >/dev/null; then as_root systemctl disable -q --now slapd || true; fi
}

apt_install mosquitto_pub mosquitto-clients
install_mosquitto
install_openldap
install_promtool
install_browser
install_playwright
install_node_client "$cache/axe" dist/src/test/clients/axe
install_node_client "$cache/node" "$sources/node"
install_python_client "$cache/python" "$sources/python"
install_node_client "$cache/amqp-node" "$amqp_sources/amqp-node"
install_proton_tools
install_python_client "$cache/amqp-python" "$amqp_sources/amqp-python"
install_go_client
install_python_client "$cache/lint" "$lint_sources"
apt_install systemd-analyze systemd
echo "install-test-clients: ready in $cache"
