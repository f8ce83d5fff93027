# shellcheck shell=sh
# Part of bin/broker: the archive that lets a broker start in a third of the time. It holds the classes as a JVM has loaded and checked
# them, and from Java 25 on what that JVM has learnt about them. It fits one JVM, one set of jars and one kind of heap, and is named by
# all of that. Needs say, fail, home, java, java_home, java_feature, release_value and fingerprint.

# Sets archive (a file, or nothing) and archive_folder (where one can be made, or nothing) for the flags that it depends on:
# find_archive COLLECTOR...
find_archive() {
    archive=
    archive_folder=
    case $(release_value "$java_home" JVM_VARIANT) in
        [Oo]pen[Jj]9) return 0 ;;
    esac
    # An archive of the user's own comes first, and a JVM takes one.
    case " ${JDK_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-} ${JAVA_OPTS:-} " in
        *-Xshare* | *Shared* | *AOT* | *ArchiveClasses*) return 0 ;;
    esac
    if [ "$java_feature" -ge 24 ]; then archive_suffix=aot; else archive_suffix=jsa; fi
    heap_kind=$(kind_of_heap)
    archive_id=$(printf '%s\n' "$home" "$java" "$heap_kind" "$@" | cksum) || return 0
    archive_content=$(fingerprint "$java" "$home/lib") || return 0
    archive_id=${archive_id%% *}
    archive_name=broker-$archive_id-$java_feature-${archive_content%% *}
    case ${BROKER_CACHE-} in
        off) ;;
        '')
            user_cache=${XDG_CACHE_HOME:+$XDG_CACHE_HOME/avocet}
            user_cache=${user_cache:-${HOME:+$HOME/.cache/avocet}}
            # What systemd's CacheDirectory= names comes before.
            user_cache=${CACHE_DIRECTORY:-$user_cache}
            look_into "$home/cache"
            [ -z "$user_cache" ] || look_into "${user_cache%%:*}"
            ;;
        *) look_into "$BROKER_CACHE" ;;
    esac
}

# From 32 GB on the JVM has other references, and classes that are laid out for them.
kind_of_heap() {
    case ${BROKER_HEAP:-} in
        *[tT]) echo large ;;
        *[gG]) if [ "${BROKER_HEAP%?}" -ge 32 ]; then echo large; else echo small; fi ;;
        *[mM]) if [ "${BROKER_HEAP%?}" -ge 32768 ]; then echo large; else echo small; fi ;;
        '')
            # 40 % of this many kilobytes.
            memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null)
            if [ "${memory:-0}" -ge 83886080 ]; then echo large; else echo small; fi
            ;;
        *) echo small ;;
    esac 2>/dev/null || echo small
}

# Half of a file would crash the JVM, so its name tells its size; the JVM compares checksums beyond that.
look_into() {
    [ -z "$archive" ] || return 0
    for candidate in "$1/$archive_name"-*."$archive_suffix"; do
        size=${candidate##*-}
        if [ -r "$candidate" ] && [ "$(wc -c <"$candidate")" -eq "${size%.*}" ]; then
            archive=$candidate
        fi
    done
    if [ -z "$archive_folder" ] && may_write "$1"; then
        archive_folder=$1
    fi
}

# A folder of another user is not written to, so that nothing is taken from it later.
may_write() {
    if [ -d "$1" ]; then
        # shellcheck disable=SC3067
        [ -O "$1" ] && [ -w "$1" ]
    else
        mkdir -p "$1" 2>/dev/null
    fi
}

# Prints the flags that have the JVM use the archive, but for its name, and be silent where it cannot.
archive_flags() {
    if [ "$java_feature" -ge 25 ]; then
        echo "-XX:+VerifySharedSpaces -Xlog:cds*=off -Xlog:aot*=off"
    else
        echo "-XX:+VerifySharedSpaces -Xlog:cds*=off"
    fi
}

archive_option() {
    if [ "$archive_suffix" = aot ]; then echo -XX:AOTCache; else echo -XX:SharedArchiveFile; fi
}

# Makes the archive from a broker that serves clients of its own for some seconds: make_archive CLASS_PATH FLAGS...
make_archive() {
    if [ -n "$archive" ]; then
        if is_as_made "$archive"; then
            say "nothing to prepare: $archive"
            return 0
        fi
        # The JVM takes none that is damaged, and starts without a word.
        rm -f "$archive" || fail "$archive is damaged, and cannot be removed"
        archive=
    fi
    [ -n "$archive_folder" ] || fail "no place for an archive of classes: neither $home/cache nor a cache of this user can be written" \
        "by it alone; set BROKER_CACHE to a folder"
    class_path=$1
    shift
    # The broker that trains needs little memory, but the same kind of references.
    if [ "$heap_kind" = large ]; then set -- -Xms64m -Xmx32g "$@"; else set -- -Xms64m -Xmx192m "$@"; fi
    BENCH_HEAP=96m
    export BENCH_HEAP
    # One at a time; what a killed one has left is in the way for ten minutes.
    lock=$archive_folder/$archive_name.lock
    find "$lock" -prune -mmin +10 -exec rmdir {} + 2>/dev/null || :
    mkdir "$lock" 2>/dev/null || fail "another process prepares it just now ($lock)"
    work=
    trained=
    load=
    trap clean_up EXIT
    trap 'exit 143' TERM
    trap 'exit 130' INT
    trap 'exit 129' HUP
    find "$archive_folder" -name 'preparing.*' -prune -mmin +60 -exec rm -rf {} + 2>/dev/null || :
    work=$(mktemp -d "$archive_folder/preparing.XXXXXX") || fail "there is no room in $archive_folder"
    if [ "$archive_suffix" = aot ]; then
        train "$class_path" -XX:AOTMode=record -XX:AOTConfiguration="$work/recorded" "$@"
        # In the background, as a signal is heard by a shell that waits.
        "$java" -XX:AOTMode=create -XX:AOTConfiguration="$work/recorded" -XX:AOTCache="$work/archive" "$@" -cp "$class_path" \
            >"$work/out" 2>&1 </dev/null &
        load=$!
        wait "$load" || fail "the JVM made no archive: $(tail -n 1 "$work/out")"
        load=
    else
        # It builds on the JVM's own archive, without which the distribution's runtime comes: no two of them have the same bytes.
        [ -e "$java_home/lib/server/classes.jsa" ] || "$java" -Xshare:dump >"$work/dumped" 2>&1 \
            || fail "the JVM made no archive of its own classes in $java_home/lib/server: $(tail -n 1 "$work/dumped")"
        train "$class_path" -XX:ArchiveClassesAtExit="$work/archive" "$@"
    fi
    [ -s "$work/archive" ] || fail "the JVM made no archive: $(tail -n 1 "$work/out")"
    size=$(wc -c <"$work/archive")
    archive=$archive_folder/$archive_name-$(checksum_of "$work/archive")-$((size)).$archive_suffix
    mv -f "$work/archive" "$archive"
    # Those of jars or of a JVM that are no more, and of other installations long ago.
    for old in "$archive_folder/broker-$archive_id"-*."$archive_suffix"; do
        [ "$old" = "$archive" ] || rm -f "$old"
    done
    find "$archive_folder" -name 'broker-*.[ja][so][at]' -mtime +90 -exec rm -f {} + 2>/dev/null || :
    say "prepared: $archive"
}

checksum_of() {
    sum=$(cksum <"$1")
    echo "${sum%% *}"
}

# Its name tells the checksum, before the size.
is_as_made() {
    rest=${1##*/"$archive_name"-}
    case $rest in
        *-*) [ "$(checksum_of "$1")" = "${rest%%-*}" ] ;;
        *) true ;; # made before names had one
    esac
}

clean_up() {
    for process in $load $trained; do
        kill -KILL "$process" 2>/dev/null || :
    done
    rmdir "$lock" 2>/dev/null || :
    [ -z "$work" ] || rm -rf "$work"
}

# train CLASS_PATH FLAGS...
train() {
    class_path=$1
    shift
    cat >"$work/broker.json" <<'END'
{"serverName": "training", "mqtt": {"maxTopicLevels": 32}, "limits": {"maxMessages": 100000, "fullBehavior": "RejectNewMessages"},
 "security": {"users": [], "allowAnonymous": "onLoopback"}, "admin": {"host": "127.0.0.1"}}
END
    cat >"$work/logback.xml" <<'END'
<configuration>
  <statusListener class="ch.qos.logback.core.status.NopStatusListener"/>
  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
    <target>System.err</target>
    <encoder><pattern>%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %thread %logger{0}: %msg%n</pattern></encoder>
  </appender>
  <logger name="io.netty" level="WARN"/>
  <root level="INFO"><appender-ref ref="console"/></root>
</configuration>
END
    "$java" "$@" -Davocet.home="$home" -Dlogback.configurationFile="$work/logback.xml" -cp "$class_path" dev.avocet.server.Main \
        --config "$work/broker.json" --data "$work/data" --endpoint 127.0.0.1:0 --admin 127.0.0.1:0 >"$work/out" 2>&1 </dev/null &
    trained=$!
    await_line '^ready' 120 || fail "the broker that is to be learnt from does not start: $(tail -n 1 "$work/out")"
    port=$(sed -n 's/^listening on .*:\([0-9]*\) for mqtt.*/\1/p' "$work/out")
    admin_port=$(sed -n 's/^listening on .*:\([0-9]*\) for http.*/\1/p' "$work/out")
    # For tests; it is an archive all the same.
    [ "${BROKER_TRAINING:-}" = none ] || run_loads
    kill -TERM "$trained" 2>/dev/null || :
    wait "$trained" || :
    trained=
}

run_loads() {
    run_load mqttbench run --target="127.0.0.1:$port" --mqtt-version=5 --idle=1000 --producers=20 --consumers=20 --persistent \
        --qos=1 --rate=2000 --warm-up=1 --duration=2
    run_load jmsbench run QUEUE.PERSISTENT --target="127.0.0.1:$port" --warm-up=1 --duration=2
    run_load broker-admin stat Server --url "http://127.0.0.1:$admin_port"
}

run_load() {
    program=$1
    shift
    "$home/bin/$program" "$@" >"$work/load" 2>&1 </dev/null &
    load=$!
    wait "$load" || :
    load=
}

# await_line PATTERN SECONDS
await_line() {
    waited=0
    until grep -q "$1" "$work/out"; do
        if ! kill -0 "$trained" 2>/dev/null; then
            # It may have said so and ended in between.
            grep -q "$1" "$work/out"
            return
        fi
        [ "$waited" -lt "$(($2 * 5))" ] || return 1
        sleep 0.2
        waited=$((waited + 1))
    done
}
