package dev.avocet.server.broker.options;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationListener;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an end of policies that were deleted while subscriptions lived by them, once the last of those is gone. Any
 * thread tells it; a thread of its own, {@code policy-release}, changes the configuration. What waits for that is
 * bounded by the number of policies.
 */
public final class PolicyReleases implements ConfigurationListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyReleases.class);

    private final ConfigurationStore objects;
    private final LiveUse use;
    private final Set<ObjectKey> waiting = ConcurrentHashMap.newKeySet();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread daemon = new Thread(task, "policy-release");
        daemon.setDaemon(true);
        return daemon;
    });

    public PolicyReleases(ConfigurationStore objects, LiveUse use) {
        this.objects = objects;
        this.use = use;
    }

    /** The last subscription under a policy is gone, for now. Never blocks. */
    public void released(ObjectKey policy) {
        if (objects.current().pendingDeletes().contains(policy) && waiting.add(policy)) {
            try {
                thread.execute(() -> release(policy));
            } catch (RejectedExecutionException e) {
                waiting.remove(policy); // the broker is stopping; the next start sees to it
            }
        }
    }

    /** A policy may have lost its last subscription between the question whether it has one and the change. */
    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        after.pendingDeletes().stream()
                .filter(key -> use.of(key) == LiveUse.Use.FREE)
                .forEach(this::released);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void release(ObjectKey policy) {
        waiting.remove(policy);
        if (use.of(policy) != LiveUse.Use.FREE) {
            return;
        }
        try {
            objects.make(
                    List.of(new ConfigurationChange.Released(policy)),
                    ConfigurationStore.ANY_VERSION,
                    ChangeOrigin.ofBroker("end of a deleted policy"));
            LOG.info("{} was deleted before, and is gone now that no subscription lives by it", policy);
        } catch (ConfigurationRefusedException | ConfigurationStoreException e) {
            LOG.warn("{} was deleted and stays for now: {}", policy, e.getMessage());
        }
    }
}
