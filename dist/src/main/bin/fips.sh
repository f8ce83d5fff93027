# shellcheck shell=sh
# Part of bin/broker and bin/arbiter: the class path with Bouncy Castle FIPS, where an administrator has put it. That has the classes of the
# plain jars under the same names, so it takes their place. Needs home.

# Prints the jars of lib/fips, if any, with colons between them.
fips_jars() {
    found=
    for jar in "$home"/lib/fips/*.jar; do
        if [ -e "$jar" ]; then found=${found:+$found:}$jar; fi
    done
    printf '%s' "$found"
}

# class_path_beside FIPS JAR...: prints those jars with colons between them; where FIPS names any, without the plain jars that they replace.
class_path_beside() {
    standing=${1:+fips}
    shift
    joined=
    for jar in "$@"; do
        case $standing/${jar##*/} in
            fips/bcprov-* | fips/bcpkix-* | fips/bcutil-* | fips/bctls-*) ;;
            fips/admin-cli-* | fips/bench-mqtt-* | fips/bench-jms-*) ;; # of other programs, and with class paths that name the plain jars
            *) joined=${joined:+$joined:}$jar ;;
        esac
    done
    printf '%s' "$joined"
}
