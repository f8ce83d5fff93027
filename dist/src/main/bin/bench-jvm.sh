# shellcheck shell=sh
# Part of bin/mqttbench and bin/jmsbench: the flags of a load generator's JVM. Needs fail, java, java_home and java_feature; sets jvm_flags
# out of the arguments of the program, of which it reads --gc, and ends_soon to yes when these ask for no measurement.

gc=default
option=
ends_soon=no
case ${1-} in
    '' | list | show | compare) ends_soon=yes ;;
esac
for argument in "$@"; do
    case $argument in
        -h | --help | -V | --version) ends_soon=yes ;;
    esac
    [ "$option" != --gc ] || gc=$argument
    option=$argument
    case $argument in
        --gc=*) gc=${argument#--gc=} ;;
    esac
done

case $(release_value "$java_home" JVM_VARIANT) in
    [Oo]pen[Jj]9)
        case $gc in
            throughput) jvm_flags=-Xgcpolicy:optthruput ;;
            default) jvm_flags=-Xgcpolicy:gencon ;;
            large) jvm_flags=-Xgcpolicy:balanced ;;
            realtime | metronome) jvm_flags=-Xgcpolicy:metronome ;;
            *) fail "--gc $gc is not one of throughput, default, realtime, large, metronome" ;;
        esac
        ;;
    *)
        case $gc in
            throughput) jvm_flags=-XX:+UseParallelGC ;;
            default) jvm_flags=-XX:+UseG1GC ;;
            realtime | large)
                jvm_flags=-XX:+UseZGC
                # Generational by choice from 21 on, and always from 24 on.
                if [ "$java_feature" -ge 21 ] && [ "$java_feature" -le 23 ]; then
                    jvm_flags="$jvm_flags -XX:+ZGenerational"
                fi
                ;;
            metronome) fail "Metronome is a collector of OpenJ9, and this Java ($java) is HotSpot; the nearest is --gc realtime" ;;
            *) fail "--gc $gc is not one of throughput, default, realtime, large, metronome" ;;
        esac
        ;;
esac

# shellcheck source=gc-targets.sh
. "$home/bin/gc-targets.sh"
jvm_flags="$jvm_flags$(gc_targets "$jvm_flags" "${BENCH_GC_PAUSE_MS:-}" BENCH_GC_PAUSE_MS "${BENCH_GC_UTILISATION:-}" BENCH_GC_UTILISATION)"

# Netty switches Unsafe off on 24 and later unless it is told otherwise.
if [ "$java_feature" -ge 24 ]; then
    jvm_flags="$jvm_flags -Dio.netty.noUnsafe=false --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
fi
# Netty's events for Java Flight Recorder take a quarter of a second to set up. JAVA_OPTS can have them back.
jvm_flags="$jvm_flags -Dio.netty.jfr.enabled=false"
if [ -n "${BENCH_HEAP:-}" ]; then
    jvm_flags="$jvm_flags -Xms$BENCH_HEAP -Xmx$BENCH_HEAP"
else
    jvm_flags="$jvm_flags -XX:MaxRAMPercentage=25"
fi
