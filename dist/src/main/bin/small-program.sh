# shellcheck shell=sh
# Part of the launchers: becomes the JVM of a program that ends soon. Needs home, java, java_home, java_feature and release_value.

# become_small_program NAME COMMANDS FLAGS CLASS_PATH WORD...: the words are the main class and its arguments; COMMANDS are arguments of the same
# program, separated by semicolons, that do no harm, and FLAGS are words without blanks. The quick compiler and the simple collector start in the
# least time. The classes of COMMANDS are kept in an archive for the next start of the program of that name. Those of other jars or of another JVM
# are of no use, so the file is named by both.
become_small_program() {
    program=$1
    commands=$2
    small_flags="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC $3"
    class_path=$4
    shift 4
    set -- -Davocet.home="$home" -Dlogback.configurationFile="$home/conf/logback.xml" -cp "$class_path" "$@"
    find_small_archive
    small_share=-Xshare:auto
    if [ -n "$small_archive" ]; then
        small_share="-Xshare:auto -XX:+VerifySharedSpaces -XX:-PrintWarnings -Xlog:disable"
        set -- -XX:SharedArchiveFile="$small_archive" "$@"
    elif [ -n "$small_folder" ]; then
        # Beside the command, and at the lowest priority.
        (make_small_archive "$5") >/dev/null 2>&1 </dev/null &
    fi
    # shellcheck disable=SC2086 # lists of words
    exec "$java" $small_flags $small_share "$@"
}

# Sets small_archive (a file, or nothing), small_folder (where one can be made, or nothing) and small_name.
find_small_archive() {
    small_archive=
    small_folder=
    case $(release_value "$java_home" JVM_VARIANT) in
        [Oo]pen[Jj]9) return 0 ;;
    esac
    cache=${BROKER_ADMIN_CACHE:-${XDG_CACHE_HOME:+$XDG_CACHE_HOME/avocet}}
    cache=${cache:-${HOME:+$HOME/.cache/avocet}}
    # Classes are taken from no folder of another user.
    # shellcheck disable=SC3067
    if [ "${cache:-off}" = off ] || ! mkdir -p "$cache" 2>/dev/null || ! [ -O "$cache" ] || ! [ -w "$cache" ]; then
        return 0
    fi
    key=$(fingerprint "$java" "$home/lib" "$home/client" 2>/dev/null) || return 0
    small_name=$program-$java_feature-${key%% *}
    small_folder=$cache
    # Half of a file would crash the JVM, so its name tells its size; the JVM compares checksums beyond that.
    for candidate in "$cache/$small_name"-*.jsa; do
        size=${candidate##*-}
        if [ -r "$candidate" ] && [ "$(wc -c <"$candidate")" -eq "${size%.*}" ]; then
            small_archive=$candidate
        fi
    done
}

# make_small_archive MAIN_CLASS: one at a time; what a killed one has left is in the way for ten minutes.
make_small_archive() {
    trap '' HUP
    lock=$small_folder/$small_name.lock
    find "$lock" -prune -mmin +10 -exec rmdir {} + 2>/dev/null || :
    mkdir "$lock" || exit 0
    work=
    trap '[ -z "$work" ] || rm -rf "$work"; rmdir "$lock"' EXIT
    trap 'exit 1' TERM INT
    work=$(mktemp -d "$small_folder/preparing.XXXXXX")
    run=0
    IFS=';'
    for command in $commands; do
        unset IFS
        run=$((run + 1))
        # shellcheck disable=SC2086 # lists of words
        nice -n 19 "$java" $small_flags -XX:DumpLoadedClassList="$work/$run.list" -Davocet.home="$home" -cp "$class_path" "$1" $command || :
    done
    unset IFS
    # Numbers and sources are those of one run, and hold for it alone.
    cat "$work"/*.list | grep -v -e '^#' -e '^@cp' -e 'source:' | sed 's/ id:.*//' | sort -u >"$work/list"
    nice -n 19 "$java" -XX:+UseSerialGC -Xshare:dump -XX:SharedClassListFile="$work/list" -XX:SharedArchiveFile="$work/archive" -cp "$class_path"
    [ -s "$work/archive" ]
    size=$(wc -c <"$work/archive")
    mv -f "$work/archive" "$small_folder/$small_name-$((size)).jsa"
    find "$small_folder" -name "$program-*.jsa" -mtime +30 -exec rm -f {} +
}
