package dev.avocet.protection;

import java.time.Clock;

/** The time of the machine; tests bring their own. */
final class SystemTime {
    private SystemTime() {}

    static Clock clock() {
        return Clock.systemUTC();
    }
}
