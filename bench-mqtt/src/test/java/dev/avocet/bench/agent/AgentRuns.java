package dev.avocet.bench.agent;

import dev.avocet.bench.mqtt.MqttTool;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.RunClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Agents of this process, each on a loopback address of its own, and runs of theirs. */
final class AgentRuns implements AutoCloseable {
    static final Credentials CREDENTIALS = Credentials.of(Secret.of("a secret of enough bytes"));
    static final String VERSION = "test";

    private final List<Agent> agents = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final List<Patience> patiences = new ArrayList<>();
    private final StringWriter log = new StringWriter();

    /** @param clock what the machine's clock shows */
    Agent add(RunClock clock) throws IOException {
        return add(clock, CREDENTIALS, Patience.USUAL);
    }

    /** @param patience that of its controller too */
    Agent add(RunClock clock, Credentials credentials, Patience patience) throws IOException {
        InetAddress own = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (agents.size() + 2)});
        Agent agent = new Agent(
                new InetSocketAddress(own, 0), credentials, VERSION, clock, patience, new PrintWriter(log, true));
        agents.add(agent);
        addresses.add(agent.address());
        patiences.add(patience);
        names.add("machine" + agents.size());
        return agent;
    }

    /** From now on controllers reach it by another way. */
    void reach(int agent, InetSocketAddress address) {
        addresses.set(agent, address);
    }

    RunResult run(List<String> options, Consumer<Snapshot> onSnapshot) {
        return run(CREDENTIALS, options, onSnapshot);
    }

    RunResult run(Credentials credentials, List<String> options, Consumer<Snapshot> onSnapshot) {
        List<RemoteAgent> connected = new ArrayList<>();
        try {
            for (int i = 0; i < agents.size(); i++) {
                connected.add(connect(i, credentials));
            }
            return controller(options, connected, onSnapshot).run();
        } finally {
            connected.forEach(RemoteAgent::close);
        }
    }

    RemoteAgent connect(int agent) {
        return connect(agent, CREDENTIALS);
    }

    RemoteAgent connect(int agent, Credentials credentials) {
        return RemoteAgent.connect(
                names.get(agent), addresses.get(agent), credentials, VERSION, RunClock.system(), patiences.get(agent));
    }

    static Controller controller(List<String> options, List<RemoteAgent> agents, Consumer<Snapshot> onSnapshot) {
        var outline = new MqttTool().read(options).outline();
        Assignment assignment = new Assignment(
                "mqttbench", List.of(new Task("mqttbench", options, true, true)), outline, Map.of(), Map.of());
        MergedRun merged = new MergedRun(assignment, "now");
        return new Controller(assignment, agents, RunClock.system(), merged, onSnapshot);
    }

    /** What a busy machine cannot spoil. */
    static List<String> options(int port, String... more) {
        return Stream.concat(
                        Stream.of(
                                "--target=localhost:" + port,
                                "--warm-up=0",
                                "--duration=0.5",
                                "--interval=0.1",
                                "--threads=1",
                                "--min-rate-percent=0",
                                "--max-busy-percent=100000",
                                "--max-own-pause-ms=0"),
                        Stream.of(more))
                .toList();
    }

    InetSocketAddress address(int agent) {
        return agents.get(agent).address();
    }

    String log() {
        return log.toString();
    }

    @Override
    public void close() {
        agents.forEach(Agent::close);
    }
}
