package dev.avocet.server.broker.endpoint;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.objects.ConfigurationListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows every client the door when maintenance mode begins, after the endpoints have closed. Connections that were
 * still on their way to a login then are shown it in the seconds that follow. Of the {@code configuration} thread.
 */
public final class MaintenanceDoor implements ConfigurationListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MaintenanceDoor.class);
    /** Longer than any endpoint waits for a login. */
    private static final int LOOKS = 60;

    private final IntSupplier closer;
    private volatile boolean isShut;

    /** @param closer closes all connections, and says how many */
    public MaintenanceDoor(IntSupplier closer) {
        this.closer = closer;
    }

    /** Whether the broker takes only administration. Any thread. */
    public boolean isShut() {
        return isShut;
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        boolean shuts = after.single(Singletons.class).isMaintenance();
        if (shuts == isShut) {
            return;
        }
        isShut = shuts;
        if (shuts) {
            LOG.warn("Maintenance mode: endpoints do not listen, and {} connections were closed", closer.getAsInt());
            lookAgain(1);
        } else {
            LOG.warn("Maintenance mode is over");
        }
    }

    /** Looks no more. Any thread. */
    @Override
    public void close() {
        isShut = false;
    }

    private void lookAgain(int looks) {
        if (looks <= LOOKS) {
            var unused = CompletableFuture.runAsync(
                    () -> {
                        if (isShut) {
                            int closed = closer.getAsInt();
                            if (closed > 0) {
                                LOG.info("{} more connections were closed for maintenance mode", closed);
                            }
                            lookAgain(looks + 1);
                        }
                    },
                    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
        }
    }
}
