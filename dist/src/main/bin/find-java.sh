# shellcheck shell=sh
# Part of bin/broker and bin/broker-admin: finds a Java that the broker runs on. Sets java, java_home and java_feature, or fails.
# Needs the variable home and the functions say and fail of the launcher that includes it.

OLDEST_JAVA=17
NEWEST_JAVA=25

# Prints the value of a key in a JDK's "release" file, which costs no start of a JVM.
release_value() {
    sed -n "s/^$2=\"\(.*\)\"[[:space:]]*\$/\1/p" "$1/release" 2>/dev/null | head -n 1
}

# Prints a number that names, sizes and times of these files and folders have; neither how many links a file has, as
# another folder may have some, nor how many blocks of a disk.
fingerprint() {
    LC_ALL=C TZ=UTC0 ls -lnL "$@" | sed 's/^\([^ ]*\) *[0-9]* /\1 /; /^total /d' | cksum
}

# Prints the feature version (17, 25) of the Java in a directory, or nothing.
feature_of() {
    [ -x "$1/bin/java" ] || return 0
    version=$(release_value "$1" JAVA_VERSION)
    if [ -z "$version" ]; then
        version=$("$1/bin/java" -version 2>&1 | sed -n 's/^.* version "\([^"]*\)".*$/\1/p' | head -n 1)
    fi
    printf '%s\n' "${version%%[!0-9]*}"
}

is_suitable() {
    [ -n "$1" ] && [ "$1" -ge "$OLDEST_JAVA" ] && [ "$1" -le "$NEWEST_JAVA" ]
}

java_home=
java_feature=

consider() {
    feature=$(feature_of "$1")
    if is_suitable "$feature" && [ "$feature" -gt "${java_feature:-0}" ]; then
        java_home=$1
        java_feature=$feature
    fi
}

# Of a distribution that brings its own: it was tried with that one, and JAVA_HOME is often there for something else.
if [ -x "$home/runtime/bin/java" ]; then
    consider "$home/runtime"
fi
if [ -z "$java_home" ] && [ -n "${JAVA_HOME:-}" ]; then
    consider "$JAVA_HOME"
    if [ -z "$java_home" ]; then
        say "JAVA_HOME=$JAVA_HOME is no Java $OLDEST_JAVA to $NEWEST_JAVA; looking for another"
    fi
fi
if [ -z "$java_home" ]; then
    # BROKER_JAVA_DIRS is for tests and unusual machines: where to look, separated by colons.
    directories=${BROKER_JAVA_DIRS-/usr/lib/jvm:/usr/java:/opt:/opt/java:/Library/Java/JavaVirtualMachines}
    saved_ifs=$IFS
    IFS=:
    for directory in $directories; do
        for candidate in "$directory"/*; do
            consider "$candidate"
            consider "$candidate/Contents/Home"
        done
    done
    IFS=$saved_ifs
fi
if [ -z "$java_home" ] && found=$(command -v java); then
    while [ -h "$found" ]; do
        target=$(readlink "$found")
        case $target in
            /*) found=$target ;;
            *) found=$(dirname "$found")/$target ;;
        esac
    done
    consider "$(dirname "$(dirname "$found")")"
fi
if [ -z "$java_home" ]; then
    fail "no Java $OLDEST_JAVA to $NEWEST_JAVA found; install one (a runtime is enough) or point JAVA_HOME at it"
fi
java=$java_home/bin/java
