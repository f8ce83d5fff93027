package dev.avocet.bench.agent;

import dev.avocet.bench.part.CommandedRun;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.Inspection;
import dev.avocet.bench.run.RunClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which machines a run is dealt out to. */
public final class AgentsOptions {
    @Option(
            names = "--agents",
            split = ",",
            paramLabel = "HOST:PORT",
            description = "machines where 'agent' runs: they do the run, each its share")
    private List<String> agents = List.of();

    @Mixin
    private CredentialOptions credentials = new CredentialOptions();

    public boolean isAsked() {
        return !agents.isEmpty();
    }

    /** Does a run that does not ask the server, and that takes no commands. */
    public RunResult run(Assignment assignment, Consumer<Snapshot> onSnapshot) {
        return run(assignment, Inspection.NONE, onSnapshot, run -> {});
    }

    /**
     * Does a run by the agents, or by one in this process where none are named.
     *
     * @param onBegin told of the run, so that it can be commanded
     * @throws IllegalArgumentException with a message for the user if an agent cannot serve
     */
    public RunResult run(
            Assignment assignment,
            Inspection inspection,
            Consumer<Snapshot> onSnapshot,
            Consumer<CommandedRun> onBegin) {
        RunClock clock = RunClock.system();
        if (isAsked()) {
            if (new HashSet<>(agents).size() < agents.size()) {
                throw new IllegalArgumentException("--agents: each agent once");
            }
            Credentials known = credentials.credentials();
            inspection.begin();
            return run(connect(agents, known, clock), assignment, clock, inspection, onSnapshot, onBegin);
        }
        Credentials own = Credentials.of(Secret.random());
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        try (Agent agent = new Agent(here, own, AgentVersion.text(), clock, Patience.USUAL, nowhere)) {
            String name = "127.0.0.1:" + agent.address().getPort();
            return run(connect(List.of(name), own, clock), assignment, clock, inspection, onSnapshot, onBegin);
        } catch (IOException noSocket) {
            throw new IllegalArgumentException("no socket for this process: " + noSocket.getMessage(), noSocket);
        }
    }

    private static RunResult run(
            List<RemoteAgent> connected,
            Assignment assignment,
            RunClock clock,
            Inspection inspection,
            Consumer<Snapshot> onSnapshot,
            Consumer<CommandedRun> onBegin) {
        try {
            MergedRun merged = new MergedRun(assignment, clock.now().toString());
            Controller controller = new Controller(assignment, connected, clock, merged, onSnapshot);
            controller.inspectWith(inspection);
            onBegin.accept(controller);
            return Interruptible.run(controller::stop, controller::run);
        } finally {
            connected.forEach(RemoteAgent::close);
        }
    }

    /** All at once: each must not wait in silence for those after it. */
    private static List<RemoteAgent> connect(List<String> names, Credentials credentials, RunClock clock) {
        List<InetSocketAddress> addresses =
                names.stream().map(name -> AgentAddress.parse("--agents", name)).toList();
        ExecutorService connecting = Executors.newFixedThreadPool(names.size());
        try {
            List<Future<RemoteAgent>> tries = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                InetSocketAddress address = addresses.get(i);
                tries.add(connecting.submit(
                        () -> RemoteAgent.connect(name, address, credentials, AgentVersion.text(), clock)));
            }
            return connected(tries);
        } finally {
            connecting.shutdownNow();
        }
    }

    /** @throws IllegalArgumentException of the first that could not, when the others are closed */
    private static List<RemoteAgent> connected(List<Future<RemoteAgent>> tries) {
        List<RemoteAgent> connected = new ArrayList<>();
        List<IllegalArgumentException> unable = new ArrayList<>();
        for (Future<RemoteAgent> each : tries) {
            try {
                connected.add(each.get());
            } catch (ExecutionException failure) {
                unable.add(new IllegalArgumentException(failure.getCause().getMessage(), failure));
            } catch (InterruptedException impatient) {
                Thread.currentThread().interrupt();
                unable.add(new IllegalArgumentException("interrupted while connecting", impatient));
            }
        }
        if (unable.isEmpty()) {
            return connected;
        }
        connected.forEach(RemoteAgent::close);
        throw unable.get(0);
    }
}
