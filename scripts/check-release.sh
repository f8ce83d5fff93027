#!/usr/bin/env bash
# Builds what a release publishes, and uses it as those would who take it.
#   scripts/check-release.sh              builds from two clones of HEAD, and compares every file; then the rest
#   scripts/check-release.sh --as-built   takes what is in dist/target/release
# The rest: checksums; the broker of the archive that brings its own Java, with no other Java in sight; an application against the all-in-one jar
# of the JMS client and nothing else of ours, with jakarta.jms and with javax.jms. Takes some four minutes on two processors.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
broker=
clean_up() {
    [[ -z $broker ]] || { kill "$broker" && wait "$broker"; } 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

fail() {
    echo "check-release: $*" >&2
    exit 1
}

build() {
    git clone -q --no-hardlinks "$root" "$work/$1"
    (cd "$work/$1" && mvn -B -q -Dquick -DskipTests -Prelease verify)
}

if [[ ${1:-} == --as-built ]]; then
    files=$root/dist/target/release
    client=$root/broker-jms-client/target
else
    build one
    build two
    diff "$work/one/dist/target/release/SHA256SUMS" "$work/two/dist/target/release/SHA256SUMS" \
        || fail "two builds of the same sources differ in the files above"
    echo "two builds of the same sources: the same bytes"
    files=$work/one/dist/target/release
    client=$work/one/broker-jms-client/target
fi
[[ -f $files/SHA256SUMS ]] || fail "there is no $files; build it with 'mvn -B -Prelease -DskipTests verify'"

(cd "$files" && sha256sum --quiet -c SHA256SUMS) || fail "a checksum is wrong"
grep -q '"bomFormat" : "CycloneDX"' "$files"/avocet-*-sbom.json || fail "the list of parts is no CycloneDX"
grep -q '"name" : "netty-handler"' "$files"/avocet-*-sbom.json || fail "the list of parts lacks Netty"
for kind in sources javadoc javax; do
    ls "$files"/broker-jms-client-[0-9]*-"$kind".jar >/dev/null || fail "the JMS client has no $kind jar"
done
for kind in sources javadoc; do
    ls "$files"/amqp-frames-[0-9]*-"$kind".jar >/dev/null || fail "the frames of AMQP, which the JMS client needs, have no $kind jar"
done
foreign=$(unzip -Z1 "$(ls "$files"/broker-jms-client-all-*.jar | grep -v javax)" '*.class' | grep -v '^dev/avocet/' || true)
[[ -z $foreign ]] || fail "the all-in-one jar has classes under names of others: $(head -3 <<<"$foreign")"
echo "checksums, list of parts and jars: in order"

# The broker with its own Java: JAVA_HOME and PATH lead nowhere.
tar -xzf "$files"/avocet-*-linux-x86_64.tar.gz -C "$work"
installed=$(echo "$work"/avocet-*)
mkdir "$work/bin"
for tool in bash sh sed head dirname readlink ls mkdir cat uname nproc awk grep expr cksum getconf id stat mv rm ps tr cut sort date chmod basename df; do
    path=$(command -v "$tool") && ln -s "$path" "$work/bin/$tool"
done
env -i PATH="$work/bin" HOME="$work" BROKER_CACHE=off "$installed/bin/broker" \
    --data "$work/data" --endpoint 127.0.0.1:0 --admin off >"$work/broker.log" 2>&1 &
broker=$!
for _ in {1..300}; do
    grep -q '^ready' "$work/broker.log" && break
    kill -0 "$broker" 2>/dev/null || fail "the broker with its own Java ended: $(cat "$work/broker.log")"
    sleep 0.1
done
grep -q '^ready' "$work/broker.log" || fail "the broker with its own Java is not ready after 30 s: $(cat "$work/broker.log")"
[[ $(readlink "/proc/$broker/exe") == "$installed/runtime/bin/java" ]] || fail "the broker runs on another Java: $(readlink "/proc/$broker/exe")"
port=$(sed -n 's/^listening on 127\.0\.0\.1:\([0-9]*\) for mqtt.*/\1/p' "$work/broker.log")
echo "the broker with its own Java: $(grep '^ready' "$work/broker.log")"

# try NAME JAR API_JAR PACKAGE: an application that has nothing but that on its class path, and SLF4J.
try() {
    local folder=$work/$1 path="$2:$3:$(echo "$client"/client/slf4j-api-*.jar)"
    mkdir "$folder"
    sed "s/jakarta\.jms/$4.jms/" "$client/client/Hello.java" >"$folder/Hello.java"
    javac -cp "$path" -d "$folder" "$folder/Hello.java"
    local answer
    answer=$(java -cp "$folder:$path" Hello "avocet://127.0.0.1:$port" "release/$1" 2>"$folder/err")
    [[ $answer == hello ]] || fail "the application with the $1 jar received '$answer': $(cat "$folder/err")"
    ! grep -qi 'UnsatisfiedLinkError\|ClassNotFound\|NoClassDef' "$folder/err" || fail "the $1 jar lacks something: $(cat "$folder/err")"
    echo "an application with the $1 jar: sent and received"
}
all=$(ls "$files"/broker-jms-client-all-*.jar | grep -v javax)
try jakarta "$all" "$(echo "$client"/client/jakarta.jms-api-*.jar)" jakarta
try javax "${all%.jar}-javax.jar" "$(echo "$client"/javax-api/*.jar)" javax
