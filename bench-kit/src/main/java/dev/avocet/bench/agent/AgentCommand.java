package dev.avocet.bench.agent;

import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.run.RunClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves controllers until it is interrupted. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        description = {
            "Takes part in runs that 'run --agents' of another machine leads, one at a time, until it is interrupted.",
            "%nFiles that options of a run name, such as those of certificates, must be on each machine.%n"
        })
public final class AgentCommand implements Callable<Integer> {
    @Option(names = "--listen", paramLabel = "HOST:PORT", required = true, description = "where controllers connect to")
    private String listen = "";

    @Option(
            names = "--gc",
            paramLabel = "PROFILE",
            description = "the collector: throughput, default, realtime, large, or metronome on OpenJ9")
    void collector(String profile) {
        // The launcher has read it.
    }

    @Mixin
    private CredentialOptions credentials = new CredentialOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (Agent agent = new Agent(
                AgentAddress.parse("--listen", listen),
                credentials.credentials(),
                AgentVersion.text(),
                RunClock.system(),
                Patience.USUAL,
                out)) {
            out.println("agent of version " + AgentVersion.text() + " listens on " + agent.address());
            out.flush();
            agent.awaitClosed();
        } catch (IOException taken) {
            throw new IllegalArgumentException("--listen " + listen + ": " + taken.getMessage(), taken);
        }
        return ExitCode.PASSED;
    }
}
