package dev.avocet.server;

import dev.avocet.server.admin.AdminListener;
import dev.avocet.server.admin.AdminPlace;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.process.HostAndPort;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Administration that listens at once, and answers when the broker serves its clients: loading its libraries takes
 * longer than everything else, and clients should not wait for it. A broker that takes long to start, for a large
 * store, can be asked how it is meanwhile.
 *
 * <p>Bound by the main thread; the server starts on a thread of its own. Any thread may close it.
 */
final class AdminStart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminStart.class);
    private static final long LONGEST_WAIT_MS = 10_000;

    private final AdminListener listener;
    private final CountDownLatch mayStart = new CountDownLatch(1);
    private final CompletableFuture<AdminServer> server = new CompletableFuture<>();

    private AdminStart(AdminListener listener) {
        this.listener = listener;
    }

    /**
     * Listens at a place.
     *
     * @param start called once, on another thread
     */
    static AdminStart bind(AdminPlace place, Start start) throws CannotListenException {
        try {
            AdminStart begun = new AdminStart(AdminListener.bind(place));
            Thread thread = new Thread(() -> begun.run(start), "admin-start");
            thread.setDaemon(true);
            thread.start();
            return begun;
        } catch (IOException e) {
            throw new CannotListenException("admin end point", HostAndPort.show(place.address()), e);
        }
    }

    /** The real port. */
    int port() throws CannotListenException {
        try {
            return listener.port();
        } catch (IOException e) {
            throw new CannotListenException(
                    "admin end point", HostAndPort.show(listener.place().address()), e);
        }
    }

    /**
     * The broker serves its clients, so that nothing has to wait any more.
     *
     * @param then what is to be done with the started server; on any thread
     * @param onFailure hears why it has not started, or why that could not be done; on any thread
     */
    void brokerRuns(Consumer<AdminServer> then, Consumer<Throwable> onFailure) {
        mayStart.countDown();
        var unused = server.thenAccept(then).whenComplete((nothing, failure) -> {
            if (failure != null && !server.isCancelled()) {
                onFailure.accept(failure);
            }
        });
    }

    /** Waits for a start that is under way. */
    @Override
    public void close() {
        boolean neverStarts = mayStart.getCount() > 0 && server.cancel(false);
        mayStart.countDown();
        try {
            if (neverStarts) {
                listener.close();
            } else {
                server.handle((started, failure) -> started)
                        .thenAccept(AdminStart::close)
                        .join();
            }
        } catch (IOException e) {
            LOG.debug("The address of the administration could not be given up", e);
        }
    }

    private static void close(@Nullable AdminServer started) {
        if (started != null) {
            started.close();
        }
    }

    private void run(Start start) {
        try {
            var unused = mayStart.await(LONGEST_WAIT_MS, TimeUnit.MILLISECONDS);
            if (server.isDone()) {
                return;
            }
            AdminServer started = start.with(listener);
            if (!server.complete(started)) {
                started.close();
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            server.completeExceptionally(e);
        }
    }

    /** Starts the server. */
    @FunctionalInterface
    interface Start {
        AdminServer with(AdminListener listener) throws IOException;
    }
}
