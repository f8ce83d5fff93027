package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.agent.AgentsOptions;
import dev.avocet.bench.agent.Assignment;
import dev.avocet.bench.agent.Interruptible;
import dev.avocet.bench.agent.Task;
import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.jms.measure.JmsRun;
import dev.avocet.bench.jms.measure.Version;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.plan.TrafficPlan;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.option.PassOptions;
import dev.avocet.bench.option.ResultOptions;
import dev.avocet.bench.option.TimingOptions;
import dev.avocet.bench.report.RunGroup;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.RunClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a workload. */
@Command(
        name = RunCommand.COMMAND,
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Runs a workload: a named one, whose options those on the command line outweigh, or one made of options.")
final class RunCommand implements Callable<Integer> {
    static final String COMMAND = "run";

    private static final Pattern SECRET = Pattern.compile("(password\\w*)=[^&\\s]*", Pattern.CASE_INSENSITIVE);

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "a workload of list, or a file that ends in .yaml")
    private @Nullable String name;

    @Option(
            names = "--scale",
            paramLabel = "FACTOR",
            description = "multiplies the counts of the named workload",
            defaultValue = "1")
    private double scale;

    @ArgGroup(validate = false, heading = "%nThe broker and the client%n")
    private ClientOptions client = new ClientOptions();

    @ArgGroup(validate = false, heading = "%nProducers and consumers%n")
    private FlowOptions flow = new FlowOptions();

    @ArgGroup(validate = false, heading = "%nRequesters and responders%n")
    private RequestOptions request = new RequestOptions();

    @ArgGroup(validate = false, heading = "%nThe load%n")
    private LoadOptions load = new LoadOptions();

    /** The launcher reads it; here it is for the help. */
    @Option(
            names = "--gc",
            paramLabel = "PROFILE",
            description =
                    "the collector: throughput, default, realtime, large, or metronome on OpenJ9 (default: ${DEFAULT-VALUE})")
    private String collector = "default";

    @ArgGroup(validate = false, heading = "%nHow long%n")
    private TimingOptions timing = new TimingOptions();

    @ArgGroup(validate = false, heading = "%nWhat passes%n")
    private PassOptions passes = new PassOptions();

    @ArgGroup(validate = false, heading = "%nThe result%n")
    private ResultOptions results = new ResultOptions();

    @Mixin
    private AgentsOptions agents = new AgentsOptions();

    @Override
    public Integer call() throws IOException {
        List<String> arguments = arguments();
        JmsWork work = work(arguments);
        RunGroup runs = results.report(spec.commandLine().getOut(), watcher -> run(work, arguments, watcher));
        return ExitCode.of(runs.outcome());
    }

    /** The options as they stand. */
    JmsWork work(List<String> arguments) {
        if (name == null) {
            return new JmsWork(plan("options", arguments), () -> client.sources(false));
        }
        NamedWorkload named = NamedWorkload.find(name);
        takeDefaults(named, arguments);
        return new JmsWork(plan(named.name(), arguments), () -> client.sources(named.isSecure()));
    }

    private RunResult run(JmsWork work, List<String> arguments, Consumer<Snapshot> watcher) {
        RunPlan plan = work.plan();
        if (agents.isAsked()) {
            return agents.run(
                    new Assignment(
                            JmsTool.NAME,
                            List.of(new Task(JmsTool.NAME, arguments, true, true)),
                            work.outline(),
                            plan.settings(),
                            Environment.capture(Version.text(), plan.arguments())),
                    watcher);
        }
        JmsRun run = new JmsRun(plan, work.sources().get(), RunClock.system(), watcher);
        return Interruptible.run(run::stop, run::run);
    }

    /** Parses the same arguments once more, now with what the workload says for those that are not there. */
    private void takeDefaults(NamedWorkload workload, List<String> arguments) {
        Map<String, String> options = workload.options(scale);
        for (String option : options.keySet()) {
            if (!spec.optionsMap().containsKey("--" + option)) {
                throw new IllegalArgumentException(String.format(
                        ROOT,
                        "workload %s: there is no option '%s'; see jmsbench run --help",
                        workload.name(),
                        option));
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        CommandLine again = new CommandLine(this)
                .setOut(out)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setDefaultValueProvider(argument -> defaultOf(argument, options));
        again.parseArgs(arguments.toArray(String[]::new));
    }

    private static @Nullable String defaultOf(ArgSpec argument, Map<String, String> options) {
        return argument instanceof OptionSpec option
                ? options.get(option.longestName().replaceFirst("^-+", ""))
                : null;
    }

    private RunPlan plan(String title, List<String> arguments) {
        TrafficPlan traffic = request.isAsked() ? request.plan(flow.name(), flow.isPersistent()) : flow.plan();
        return new RunPlan(
                title,
                client.targets().stream().map(RunCommand::withoutSecrets).toList(),
                traffic,
                load.schedule(),
                load.sizes(),
                load.messages(),
                load.maxUnderWay(),
                load.startDelayNs(),
                load.warmUpMessages(),
                load.keepsExtremes(),
                load.timesCalls(),
                load.timing(timing),
                passes.criteria(),
                settings(traffic),
                arguments.stream().map(RunCommand::withoutSecrets).toList());
    }

    /** Without the name of the command. */
    private List<String> arguments() {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        return !all.isEmpty() && all.get(0).equals(COMMAND) ? all.subList(1, all.size()) : all;
    }

    /** All options with their values, except for what has none. */
    private Map<String, String> settings(TrafficPlan traffic) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("traffic", traffic.toString());
        settings.put("rate", load.schedule().isUnpaced() ? "max" : load.rate());
        settings.put("sizes", load.sizes().bytes().toString());
        settings.put("max under way", String.valueOf(load.maxUnderWay()));
        settings.put("client", client.factory());
        settings.put("collector", collector);
        settings.put("targets", withoutSecrets(String.join(" ", client.targets())));
        return settings;
    }

    /** Addresses and properties may hold passwords, and reports are passed on. */
    private static String withoutSecrets(String text) {
        return SECRET.matcher(text).replaceAll("$1=***");
    }
}
