package dev.avocet.server.objects;

import dev.avocet.core.config.Configuration;

/** Applies the configuration to what runs. */
@FunctionalInterface
public interface ConfigurationListener {
    /**
     * The configuration is another now, and stored. Called on the {@code configuration} thread, for every change in
     * order; the first call comes when the listener is added, with {@link Configuration#EMPTY} as what was before.
     * The thread that made the change waits for this to return. What it throws is logged and stops nothing; it must not
     * change the configuration itself.
     */
    void configurationChanged(Configuration before, Configuration after);
}
