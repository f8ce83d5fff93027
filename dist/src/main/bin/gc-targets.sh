# shellcheck shell=sh
# Part of the launchers: what is asked of a collector beyond its name. Needs fail.

# gc_targets FLAGS PAUSE_MS ITS_VARIABLE UTILISATION_PERCENT ITS_VARIABLE: prints the flags, with a blank before each, that the collector of
# FLAGS has for the longest pause and for the share of time that it leaves to the program; nothing for what is empty.
gc_targets() {
    if [ -n "$2" ]; then
        whole_number "$2" 1 60000 "$3"
        case $1 in
            *metronome* | *balanced*) printf ' -Xgc:targetPauseTime=%s' "$2" ;;
            *UseG1GC* | *UseParallelGC*) printf ' -XX:MaxGCPauseMillis=%s' "$2" ;;
            *) fail "$3: the collector of $1 has no longest pause to set; leave it out, or use --gc default, or --gc metronome on OpenJ9" ;;
        esac
    fi
    if [ -n "$4" ]; then
        whole_number "$4" 10 90 "$5"
        case $1 in
            *metronome*) printf ' -Xgc:targetUtilization=%s' "$4" ;;
            # So many parts of the time for the program to one for the collector.
            *UseParallelGC*) printf ' -XX:GCTimeRatio=%s' "$(($4 / (100 - $4) > 0 ? $4 / (100 - $4) : 1))" ;;
            *) fail "$5: the collector of $1 has no utilisation to set; leave it out, or use --gc metronome on OpenJ9; the nearest is --gc throughput" ;;
        esac
    fi
}

# whole_number VALUE LEAST MOST NAME
whole_number() {
    case $1 in
        '' | *[!0-9]* | ??????*) fail "$4 is '$1': a whole number from $2 to $3" ;;
    esac
    if [ "$1" -lt "$2" ] || [ "$1" -gt "$3" ]; then
        fail "$4 is '$1': a whole number from $2 to $3"
    fi
}
