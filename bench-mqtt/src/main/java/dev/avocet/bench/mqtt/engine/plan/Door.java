package dev.avocet.bench.mqtt.engine.plan;

import dev.avocet.bench.mqtt.engine.plan.RunPlan.Certificate;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Where and how one client connects; null is as the plan says for all. */
public record Door(
        @Nullable InetSocketAddress address,
        @Nullable Boolean isTls,
        @Nullable Boolean isWebSocket,
        @Nullable Certificate certificate) {
    public static final Door USUAL = new Door(null, null, null, null);

    /** The usual one, at which a client shows something of its own. */
    public static Door showing(@Nullable Certificate certificate) {
        return certificate == null ? USUAL : new Door(null, null, null, certificate);
    }
}
