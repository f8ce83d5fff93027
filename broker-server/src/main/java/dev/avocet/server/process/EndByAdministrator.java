package dev.avocet.server.process;

import dev.avocet.server.rest.service.ProcessControl;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Ends the process for an administrator, once the answer has had time to leave. */
public final class EndByAdministrator implements ProcessControl {
    private static final long ANSWER_MS = 300;

    private final CleanStore cleanStore;
    private final Map<String, Object> startup;
    private final IntConsumer end;
    private final Executor soon = CompletableFuture.delayedExecutor(ANSWER_MS, TimeUnit.MILLISECONDS);

    /**
     * @param startup what the process was started with, without secrets
     * @param end ends the process with a code
     */
    public EndByAdministrator(CleanStore cleanStore, Map<String, Object> startup, IntConsumer end) {
        this.cleanStore = cleanStore;
        this.startup = startup;
        this.end = end;
    }

    @Override
    public void stop() {
        soon.execute(() -> end.accept(ExitCode.STOPPED));
    }

    @Override
    public void restart(boolean clean) throws IOException {
        if (clean) {
            cleanStore.wishFor();
        }
        soon.execute(() -> end.accept(ExitCode.RESTART));
    }

    @Override
    public Map<String, Object> startup() {
        return startup;
    }
}
