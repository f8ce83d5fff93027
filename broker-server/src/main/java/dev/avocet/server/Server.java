package dev.avocet.server;

import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.Health.Status;
import dev.avocet.server.broker.BrokerStarter;
import dev.avocet.server.broker.CannotListenException;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ServerConfig;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One broker process: data directory, administration and the broker itself, started in order and stopped in the reverse order.
 *
 * <p>Started by the main thread, closed by whichever thread stops the process.
 */
final class Server implements AutoCloseable {
    private final Deque<Runnable> closers = new ArrayDeque<>();
    private volatile Status status = Status.STARTING;
    private volatile List<InetSocketAddress> endpoints = List.of();

    private Server() {}

    /** Starts everything, and announces each part as it comes up; when one fails, nothing is left running. */
    static Server start(ServerConfig config, Path dataPath, BrokerStarter starter, Announcement announcement)
            throws StartException, InterruptedException {
        Server server = new Server();
        try {
            server.open(config, dataPath, starter, announcement);
            return server;
        } catch (CannotListenException e) {
            server.close();
            throw new StartException(ExitCode.CANNOT_LISTEN, String.valueOf(e.getMessage()));
        } catch (StartException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Where clients are served. */
    List<InetSocketAddress> endpoints() {
        return endpoints;
    }

    @Override
    public void close() {
        status = Status.STOPPING;
        closers.forEach(Runnable::run);
        closers.clear();
    }

    private void open(ServerConfig config, Path dataPath, BrokerStarter starter, Announcement announcement)
            throws StartException, CannotListenException, InterruptedException {
        DataDirectory data = DataDirectory.lock(dataPath);
        closers.push(data::close);
        announcement.starting(data.path());
        if (config.admin().enabled()) {
            AdminStart adminStart = AdminStart.begin(config.admin(), this::health);
            closers.push(adminStart::close);
            RunningBroker broker = startBroker(config, starter, announcement);
            AdminServer admin = adminStart.await();
            broker.meters().forEach(admin::bind);
            announcement.administering(config.admin().host(), admin.port());
        } else {
            startBroker(config, starter, announcement);
        }
        status = Status.RUNNING;
        announcement.ready(config.store().mode(), uptimeMs());
    }

    private RunningBroker startBroker(ServerConfig config, BrokerStarter starter, Announcement announcement)
            throws CannotListenException {
        RunningBroker broker = starter.start(config);
        closers.push(broker::close);
        endpoints = broker.endpoints();
        announcement.listening(config.endpoints(), endpoints);
        return broker;
    }

    private Health health() {
        List<String> addresses = endpoints.stream().map(HostAndPort::show).toList();
        return new Health(status, Version.text(), uptimeMs(), addresses);
    }

    private static long uptimeMs() {
        return ManagementFactory.getRuntimeMXBean().getUptime();
    }
}
