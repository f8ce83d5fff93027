package dev.avocet.core.security.provider;

import dev.avocet.core.security.login.SourceNetwork;

/** Those who check passwords, which is no work for event loops. */
@FunctionalInterface
public interface LoginWorkers {
    /**
     * Has a login checked, by any thread, at once or later.
     *
     * @param from where it comes from
     * @param refused run in the place of the login when too many wait
     */
    void execute(SourceNetwork from, Runnable login, Runnable refused);
}
