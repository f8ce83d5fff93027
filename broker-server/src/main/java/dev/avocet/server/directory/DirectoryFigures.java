package dev.avocet.server.directory;

import java.util.concurrent.atomic.LongAdder;

/** What has become of logins that the directory was asked about, or could have been. Thread-safe. */
final class DirectoryFigures {
    final LongAdder accepted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder unknown = new LongAdder();
    final LongAdder unavailable = new LongAdder();
    final LongAdder cached = new LongAdder();
}
