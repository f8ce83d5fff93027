package dev.avocet.bench.agent;

import static java.util.Locale.ROOT;

import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.option.ResultOptions;
import dev.avocet.bench.part.Tool;
import dev.avocet.bench.part.Work.Outline;
import dev.avocet.bench.report.RunGroup;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Runs a workload whose producers are mqttbench's and whose consumers are jmsbench's, as one run. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a workload with MQTT producers and JMS consumers.",
            "%nOther options are those of 'mqttbench run' and 'jmsbench run': each goes to the harnesses that know it, and with"
                    + " --mqtt: or --jms: before its name to one, such as --jms:target=HOST:PORT.%n"
        })
public final class CombinedCommand implements Callable<Integer> {
    private static final String MQTT = "mqttbench";
    private static final String JMS = "jmsbench";

    @Parameters(
            paramLabel = "NAME",
            description = "such as FANIN.Q1.PERSISTENT.JMS.SHARED, or a file that ends in .yaml")
    private String name = "";

    @Option(names = "--scale", description = "what counts and rates are multiplied by (default: ${DEFAULT-VALUE})")
    private double scale = 1;

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Mixin
    private AgentsOptions agents = new AgentsOptions();

    @Option(
            names = "--gc",
            paramLabel = "PROFILE",
            description = "the collector: throughput, default, realtime, large, or metronome on OpenJ9")
    void collector(String profile) {
        // The launcher has read it.
    }

    @Unmatched
    private List<String> rest = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    /** Whether these arguments of a program are for this command. */
    public static boolean isMeant(List<String> arguments) {
        return arguments.size() > 1 && arguments.get(0).equals("run") && isCombined(arguments.get(1));
    }

    /** Whether a workload of that name needs both harnesses. */
    public static boolean isCombined(String workload) {
        return CombinedWorkload.isNamed(workload);
    }

    /** Names the workloads that need both harnesses. */
    public static void list(PrintWriter out) {
        for (String each : CombinedWorkload.names()) {
            out.printf(ROOT, "%-34s %s%n", each, CombinedWorkload.what(each));
        }
        out.println(
                "Names with JMS may have SEC (the producers use TLS) and HA in them: FANIN.SEC.Q1.HA.PERSISTENT.JMS.SHARED");
    }

    /** Explains one of them. */
    public static void show(PrintWriter out, String workload, double atScale) {
        CombinedWorkload found = CombinedWorkload.find(workload);
        out.println(found.name() + ": " + found.workload().what());
        out.println("  from: " + found.workload().origin());
        out.println("  mqttbench:");
        found.producerOptions(atScale).forEach(option -> out.println("    " + option));
        out.println("  jmsbench:");
        found.consumerOptions(atScale, List.of()).forEach(option -> out.println("    " + option));
    }

    @Override
    public Integer call() throws IOException {
        RunGroup runs = results.report(spec.commandLine().getOut(), this::run);
        return ExitCode.of(runs.outcome());
    }

    private RunResult run(Consumer<Snapshot> watcher) {
        CombinedWorkload workload = CombinedWorkload.find(name);
        Tool mqtt = Tool.named(MQTT);
        Tool jms = Tool.named(JMS);
        SplitOptions split = SplitOptions.of(rest, mqtt, jms);
        List<String> producers = new ArrayList<>(List.of("--name=" + workload.name()));
        producers.addAll(workload.producerOptions(scale));
        producers.addAll(split.mqtt());
        List<String> consumers = workload.consumerOptions(scale, split.jms());
        Outline outline = mqtt.read(producers).outline();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("producers", workload.withoutSecrets(producers));
        settings.put("consumers", workload.withoutSecrets(consumers));
        return agents.run(
                new Assignment(
                        MQTT + " and " + JMS,
                        List.of(new Task(MQTT, producers, true, false), new Task(JMS, consumers, false, true)),
                        outline,
                        settings,
                        Environment.capture(AgentVersion.text(), List.of("run", workload.name()))),
                watcher);
    }
}
