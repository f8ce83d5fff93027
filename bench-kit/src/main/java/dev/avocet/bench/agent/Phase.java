package dev.avocet.bench.agent;

import java.util.Locale;

/** What a part is at. */
enum Phase {
    OPEN,
    WARM_UP,
    MEASURE,
    DRAIN;

    /** As snapshots call it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
