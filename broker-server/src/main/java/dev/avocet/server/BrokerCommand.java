package dev.avocet.server;

import dev.avocet.server.broker.ProcessStarter;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.config.StoreMode;
import dev.avocet.server.process.AdminAddress;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.GcProfile;
import dev.avocet.server.process.Home;
import dev.avocet.server.process.HostAndPort;
import dev.avocet.server.process.Preparation;
import dev.avocet.server.process.StartException;
import dev.avocet.server.process.StopOnSignal;
import dev.avocet.server.process.Version;
import dev.avocet.server.system.RecentLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/broker}: starts the broker and serves until the process is told to stop. */
@Command(
        name = "broker",
        description = "Runs the Avocet message broker until it gets SIGTERM or SIGINT.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped as asked, also by SIGTERM or SIGINT",
            "1:a mistake in the broker; the log says more",
            "2:the command line or the configuration cannot be used",
            "3:an address cannot be bound, or the JVM ran out of memory",
            "4:another broker uses the data directory",
            "5:the store failed while the broker ran; the log says more",
            "6:the store cannot be opened",
            "10:an administrator wants the broker to be started again"
        })
final class BrokerCommand implements Callable<Integer> {
    private final ProcessStarter starter;
    private final Home home;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "where the broker keeps its files (default: dataDirectory of the configuration, which is"
                    + " 'data' beside 'bin')")
    private @Nullable Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "the configuration (default: 'conf/broker.json' beside 'bin', where it exists)")
    private @Nullable Path configFile;

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            converter = HostAndPort.Converter.class,
            description =
                    "listen here for MQTT, WebSocket and AMQP instead of on the configured endpoints; may be repeated;"
                            + " port 0 takes a free one")
    private List<HostAndPort> endpoints = List.of();

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT|off",
            converter = AdminAddress.Converter.class,
            description = "listen here for health and metrics over HTTP, or not at all")
    private @Nullable AdminAddress admin;

    @Option(
            names = "--gc",
            paramLabel = "PROFILE",
            description = "the garbage collector, chosen by the launcher: ${COMPLETION-CANDIDATES}")
    @SuppressWarnings(
            "UnusedVariable") // here for --help and to refuse a wrong name; the launcher has chosen the collector
    private @Nullable GcProfile gc;

    @Option(
            names = "--store",
            paramLabel = "MODE",
            description =
                    "${COMPLETION-CANDIDATES}: whether an acknowledged message survives the loss of power, the end of"
                            + " the process, or neither (default: store.mode of the configuration)")
    private @Nullable StoreMode store;

    @Option(
            names = "--allow-insecure",
            description = "listen even where others can reach the broker without a password")
    private boolean allowInsecure;

    @Option(
            names = "--ha-leave",
            description =
                    "serve alone with the store of a pair's node, which leaves the pair; what the other node alone"
                            + " has acknowledged is not in it")
    private boolean leavesPair;

    @Mixin
    private PairOptions pair = new PairOptions();

    BrokerCommand(ProcessStarter starter, Home home) {
        this.starter = starter;
        this.home = home;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        Announcement announcement =
                new Announcement(Objects.requireNonNull(spec).commandLine().getOut());
        RecentLog.begin();
        ServerConfig config = home.configuration(configFile, this::withOptions);
        PairConfig pairing = pair.broker();
        if (pairing != null && leavesPair) {
            throw PairConfig.unusable("--ha-leave is for a broker that serves alone; leave --ha-group out, or this");
        }
        StopOnSignal stop = StopOnSignal.install();
        Server server = start(config, pairing, announcement, stop);
        stop.onStarted(() -> {
            announcement.stopping();
            server.close();
            announcement.stopped();
        });
        Preparation.begin(home.path());
        return stop.await();
    }

    private Server start(
            ServerConfig config, @Nullable PairConfig pairing, Announcement announcement, StopOnSignal stop)
            throws StartException, InterruptedException {
        try {
            return Server.start(
                    new Launch(config, endpoints.isEmpty(), home.dataDirectory(data, config), pairing, leavesPair),
                    starter,
                    announcement,
                    stop::onAsked,
                    cause -> stop.onFailure(ExitCode.STORE_FAILED));
        } catch (StartException | InterruptedException | RuntimeException e) {
            stop.onNotStarted();
            throw e;
        }
    }

    private ServerConfig withOptions(ServerConfig config) {
        ServerConfig changed = config;
        if (store != null) {
            changed = changed.withStore(changed.store().in(store));
        }
        if (!endpoints.isEmpty()) {
            changed = changed.withEndpoints(
                    endpoints.stream().map(HostAndPort::endpoint).toList());
        }
        if (admin != null) {
            changed = changed.withAdmin(admin.appliedTo(changed.admin()));
        }
        return allowInsecure ? changed.insecure() : changed;
    }
}
