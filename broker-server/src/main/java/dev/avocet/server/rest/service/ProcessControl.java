package dev.avocet.server.rest.service;

import java.io.IOException;
import java.util.Map;

/** Ends the process for an administrator, and tells what it was started with. Any thread. */
public interface ProcessControl {
    /** Ends the process in good order, a moment later. */
    void stop();

    /**
     * Ends the process in good order, a moment later, with the exit code that asks its supervisor to start it
     * again.
     *
     * @param cleanStore whether the next start begins with an empty store
     * @throws IOException when the wish for a clean store cannot be left for the next start; then nothing is done
     */
    void restart(boolean cleanStore) throws IOException;

    /** What the startup file and the command line come to, without secrets. */
    Map<String, Object> startup();
}
