package dev.avocet.server.rest.request;

import dev.avocet.server.broker.RunningBroker;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The broker that serves clients; null while none does. Any thread. */
@FunctionalInterface
public interface PresentBroker extends Supplier<@Nullable RunningBroker> {
    /** The answer to a request that cannot be met without one. */
    default Refusal absent() {
        return new Refusal(Code.NOT_NOW, "the broker is starting; try again in a moment");
    }
}
