# shellcheck shell=sh
# Part of run-broker.sh and run-pair.sh: builds the folder of the distribution in dist/target, unless that is done already and the sources are the
# same. Needs root, the top of the clone, and the function say; sets broker, the launcher.

target=$root/dist/target
built_from=$target/run-broker.sources

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
