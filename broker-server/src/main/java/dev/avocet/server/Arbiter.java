package dev.avocet.server;

import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.ratis.GroupMember;
import dev.avocet.ha.coordination.ratis.GroupSettings;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.server.broker.ApprovedCryptography;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.process.DataDirectory;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.HostAndPort;
import dev.avocet.server.process.StartException;
import dev.avocet.server.process.StopOnSignal;
import dev.avocet.server.process.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/arbiter}: the third vote of a pair of brokers; serves no clients and holds no messages. */
@Command(
        name = "arbiter",
        description = "Runs the third vote of a pair of Avocet brokers until it gets SIGTERM or SIGINT.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped as asked, also by SIGTERM or SIGINT",
            "1:a mistake in the arbiter; the log says more",
            "2:the command line cannot be used",
            "3:the address cannot be bound, or the group's files cannot be used",
            "4:another process uses the data directory"
        })
public final class Arbiter implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(Arbiter.class);
    /** Of requests, of which an arbiter makes none. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final String FIPS = "--fips";
    private static final String GROUP_FOLDER = "pair";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "where the arbiter keeps its vote")
    private @Nullable Path data;

    @Option(names = "--ha-group", paramLabel = "NAME", required = true, description = "the name of the pair")
    private @Nullable String group;

    @Option(
            names = "--ha-node",
            paramLabel = "ID",
            required = true,
            description = "this process, the member that is named last")
    private @Nullable String node;

    @Option(
            names = "--ha-members",
            paramLabel = "ID=HOST:PORT,...",
            required = true,
            description = "the two brokers of the pair and last the arbiter, which listens at its PORT+1")
    private @Nullable String members;

    @Option(
            names = FIPS,
            description = "cryptography that FIPS 140 approves, of a validated provider: for members whose brokers have"
                    + " security.fips")
    private boolean fips;

    @Mixin
    private PairCredentials proofs = new PairCredentials();

    private Arbiter() {}

    /** Runs the command and ends the process with one of the codes that {@code --help} lists. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(commandLine(out, err).execute(args));
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(new Arbiter())
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setParameterExceptionHandler((mistake, arguments) -> {
                    err.println("arbiter: " + mistake.getMessage());
                    err.println("see 'arbiter --help'");
                    return ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, thrower, parsed) -> explain(failure, err));
    }

    private static int explain(Exception failure, PrintWriter err) {
        if (failure instanceof StartException e) {
            err.println("arbiter: " + e.getMessage());
            return e.exitCode();
        }
        LOG.error("internal error: the arbiter cannot start", failure);
        return ExitCode.INTERNAL;
    }

    @Override
    public Integer call() throws StartException, InterruptedException {
        PairConfig pair = PairConfig.ofArbiter(
                Objects.requireNonNull(group), Objects.requireNonNull(node), Objects.requireNonNull(members), proofs);
        requireApproved(pair);
        MemberTls tls = pair.openTls();
        Announcement announcement =
                new Announcement(Objects.requireNonNull(spec).commandLine().getOut());
        StopOnSignal stop = StopOnSignal.install();
        try {
            DataDirectory directory = DataDirectory.lock(
                    Objects.requireNonNull(data).toAbsolutePath().normalize());
            announcement.starting(directory.path());
            GroupMember vote = vote(pair, tls, directory);
            stop.onStarted(() -> close(vote, directory, announcement));
        } catch (StartException | RuntimeException e) {
            stop.onNotStarted();
            throw e;
        }
        InetSocketAddress address =
                Objects.requireNonNull(pair.members().group().get(pair.node()));
        announcement.votes(HostAndPort.show(address.getHostString(), address.getPort()), pair.group());
        return stop.await();
    }

    private void requireApproved(PairConfig pair) throws StartException {
        try {
            ApprovedCryptography.require(fips, FIPS);
        } catch (CannotSecureException e) {
            throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
        PairedServer.requireApproved(fips, FIPS, pair.credentials());
    }

    private static GroupMember vote(PairConfig pair, @Nullable MemberTls tls, DataDirectory directory)
            throws StartException {
        GroupSettings settings = new GroupSettings(
                pair.group(), pair.members().group(), pair.members().arbiter(), TIMEOUT, tls);
        try {
            return GroupMember.start(settings, pair.node(), directory.path().resolve(GROUP_FOLDER));
        } catch (CoordinationException e) {
            directory.close();
            throw new StartException(ExitCode.CANNOT_LISTEN, String.valueOf(e.getMessage()));
        }
    }

    private static void close(GroupMember vote, DataDirectory directory, Announcement announcement) {
        announcement.stopsVoting();
        try {
            vote.close();
        } catch (IOException e) {
            LOG.warn("The vote was not closed in good order: {}", e.toString());
        }
        directory.close();
        announcement.stopped();
    }
}
