package dev.avocet.server.oauth;

import java.util.concurrent.atomic.LongAdder;

/** What has become of logins with tokens, and of fetching keys. Thread-safe. */
final class OAuthFigures {
    final LongAdder accepted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder unavailable = new LongAdder();
    final LongAdder cached = new LongAdder();
    final LongAdder fetches = new LongAdder();
}
