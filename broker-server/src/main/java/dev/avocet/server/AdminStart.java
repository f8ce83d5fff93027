package dev.avocet.server;

import dev.avocet.server.admin.AdminPlace;
import dev.avocet.server.admin.AdminRoutes;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Monitored;
import dev.avocet.server.broker.CannotListenException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Administration that starts on a thread of its own, beside the broker: loading its libraries takes longer than opening the
 * endpoints, and clients should not wait for it. Any thread may wait for it or close it.
 */
final class AdminStart implements AutoCloseable {
    private final FutureTask<AdminServer> task;

    private AdminStart(FutureTask<AdminServer> task) {
        this.task = task;
    }

    static AdminStart begin(Supplier<AdminPlace> place, Monitored process, AdminRoutes routes, boolean jmx) {
        FutureTask<AdminServer> task = new FutureTask<>(() -> start(place.get(), process, routes, jmx));
        Thread thread = new Thread(task, "admin-start");
        thread.setDaemon(true);
        thread.start();
        return new AdminStart(task);
    }

    /** The started end point; {@link CannotListenException} when its address cannot be bound. */
    AdminServer await() throws CannotListenException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CannotListenException cannotListen) {
                throw cannotListen;
            }
            throw new IllegalStateException("the admin end point cannot be started", e.getCause());
        }
    }

    @Override
    public void close() {
        try {
            task.get().close();
        } catch (ExecutionException e) {
            // It has not started, so there is nothing to close; await() tells why.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static AdminServer start(AdminPlace place, Monitored process, AdminRoutes routes, boolean jmx)
            throws CannotListenException {
        try {
            return AdminServer.start(place, process, routes, jmx);
        } catch (IOException e) {
            throw new CannotListenException("admin end point", HostAndPort.show(place.address()), e);
        }
    }
}
