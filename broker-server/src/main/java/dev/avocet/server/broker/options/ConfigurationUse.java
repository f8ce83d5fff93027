package dev.avocet.server.broker.options;

import dev.avocet.core.config.LiveUse;
import dev.avocet.server.objects.ConfigurationListener;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import java.util.ArrayList;
import java.util.List;

/**
 * What of an instance follows the configuration objects, until the instance is closed. Of the thread that opens and
 * closes the instance.
 */
public final class ConfigurationUse implements AutoCloseable {
    private final ConfigurationStore objects;
    private final List<ConfigurationListener> followers = new ArrayList<>();

    public ConfigurationUse(ConfigurationStore objects, LiveUse use) {
        this.objects = objects;
        objects.liveUse(use);
    }

    /** Told of the present configuration, and of every change until this is closed; in the order of the calls. */
    public void follow(ConfigurationListener follower) throws ConfigurationStoreException {
        followers.add(follower);
        objects.addListener(follower);
    }

    /** Returns when a change that is being made is over, and no follower hears of another one. */
    @Override
    public void close() {
        objects.removeListeners(followers);
        objects.liveUse(LiveUse.NONE);
    }
}
