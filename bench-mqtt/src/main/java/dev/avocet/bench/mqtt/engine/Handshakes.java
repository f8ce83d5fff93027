package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Counter;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;

/** TLS handshakes of one lane: how many were full ones, and how many resumed a session. */
final class Handshakes {
    private static final int PERCENT = 100;

    private final Counter full = new Counter();
    private final Counter resumed = new Counter();

    /** Counts one that is complete. Called by the lane's loop. */
    boolean completed(SSLEngine engine) {
        boolean isResumed = isResumed(engine);
        (isResumed ? resumed : full).increment();
        return isResumed;
    }

    /** The pointer is 0 once the engine is closed. */
    private static boolean isResumed(SSLEngine engine) {
        long pointer = engine instanceof ReferenceCountedOpenSslEngine boring ? boring.sslPointer() : 0;
        return pointer != 0 && SSL.isSessionReused(pointer);
    }

    /** Those of all lanes, and the share of the resumed ones in percent. */
    static Map<String, Long> sum(List<Lane> lanes) {
        long full =
                lanes.stream().mapToLong(lane -> lane.handshakes.full.value()).sum();
        long resumed = lanes.stream()
                .mapToLong(lane -> lane.handshakes.resumed.value())
                .sum();
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("full handshakes", full);
        figures.put("resumed handshakes", resumed);
        figures.put("percent resumed", full + resumed == 0 ? 0 : resumed * PERCENT / (full + resumed));
        return figures;
    }
}
