# shellcheck shell=sh
# Part of the launchers: becomes the JVM of a program that ends soon. Needs home, java and java_feature.

# become_small_program NAME WORD...: the words are arguments of java. The quick compiler and the simple collector start in the least time. From
# Java 19 on the JVM itself keeps the classes that were loaded for the next start of the program of that name. Those of other jars or of another
# JVM are of no use, so the file is named by both; one that was made a month ago is thrown away when a new one is made.
become_small_program() {
    program=$1
    shift
    share=
    cache=${BROKER_ADMIN_CACHE:-${XDG_CACHE_HOME:+$XDG_CACHE_HOME/avocet}}
    cache=${cache:-${HOME:+$HOME/.cache/avocet}}
    if [ "$java_feature" -ge 19 ] && [ "${cache:-off}" != off ] && mkdir -p "$cache" 2>/dev/null; then
        # Classes are taken from no folder of another user.
        # shellcheck disable=SC3067
        if [ -O "$cache" ] && [ -w "$cache" ]; then
            key=$(ls -lnL "$java" "$home/lib" | cksum) || key=none
            share=$cache/$program-$java_feature-${key%% *}.jsa
            [ -e "$share" ] || find "$cache" -name "$program-*.jsa" -mtime +30 -exec rm -f {} + 2>/dev/null || :
        fi
    fi
    if [ -n "$share" ]; then
        set -- -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="$share" -XX:-PrintWarnings -Xlog:disable "$@"
    fi
    exec "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto "$@"
}
