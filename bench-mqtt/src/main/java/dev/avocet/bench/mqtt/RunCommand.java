package dev.avocet.bench.mqtt;

import dev.avocet.bench.agent.AgentsOptions;
import dev.avocet.bench.agent.Assignment;
import dev.avocet.bench.agent.Interruptible;
import dev.avocet.bench.agent.Task;
import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.mqtt.engine.MqttRun;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.option.ResultOptions;
import dev.avocet.bench.part.CommandedRun;
import dev.avocet.bench.report.RunGroup;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.RateSearch;
import dev.avocet.bench.run.RunClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a workload. */
@Command(
        name = "run",
        sortOptions = false,
        description = {
            "Runs a workload: 'run NAME' one of those that the command list names, with options that change it; 'run' with options alone.",
            "%nIn topic names and filters {i} stands for the client's number, {t} for that of its topic, {p} for the partition and {n} for the number in"
                    + " the partition.%n"
        })
final class RunCommand implements Callable<Integer> {
    private static final double SEARCH_PRECISION = 0.05;
    private static final String STATS_PASSWORD = "--broker-stats-password";
    private static final List<String> PASSWORDS = List.of("--password", STATS_PASSWORD);

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private OldOptions oldOptions = new OldOptions();

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Mixin
    private AgentsOptions agents = new AgentsOptions();

    @Mixin
    private RequestOptions requestOptions = new RequestOptions();

    @Mixin
    private BrokerOptions brokerOptions = new BrokerOptions();

    @Mixin
    private PromptOptions promptOptions = new PromptOptions();

    @Mixin
    private OwnOptions ownOptions = new OwnOptions();

    @Mixin
    private StormOptions stormOptions = new StormOptions();

    @Option(
            names = "--find-max",
            description =
                    "looks for the highest rate that passes, from --rate on, within 5 %%; each try is a run of its own, measured for"
                            + " --step-seconds, or --duration")
    private boolean findsMax;

    /**
     * The standard ones have -V for the version, which here is a mask of the reference harness; picocli then leaves all
     * of them out.
     */
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    void help(boolean isAsked) {
        // Picocli shows it.
    }

    @Option(
            names = "--gc",
            paramLabel = "PROFILE",
            description = "the collector: throughput, default, realtime, large, or metronome on OpenJ9")
    void collector(String profile) {
        // The launcher has read it.
    }

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        MqttWork work = work();
        RunGroup runs = results.report(
                spec.commandLine().getOut(), watcher -> findsMax ? highest(watcher) : run(work, List.of(), watcher));
        return ExitCode.of(runs.outcome());
    }

    /** The options as they stand. */
    MqttWork work() {
        return new MqttWork(prepare());
    }

    /** @param more options that come after those of the command line */
    private RunResult run(MqttWork work, List<String> more, Consumer<Snapshot> watcher) {
        if (!agents.isAsked()) {
            return execute(new MqttRun(work.plan(), RunClock.system(), watcher));
        }
        Assignment assignment = new Assignment(
                MqttTool.NAME,
                List.of(new Task(MqttTool.NAME, wordsForAgents(more), true, true)),
                work.outline(),
                settings(),
                Environment.capture(Version.text(), argumentsWithoutPassword()));
        return agents.run(assignment, brokerOptions.inspection(), watcher, this::listen);
    }

    /** What the broker says is asked by this machine, which alone needs to know how. */
    private List<String> wordsForAgents(List<String> more) {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        List<String> words = new ArrayList<>();
        for (int i = all.indexOf("run") + 1; i < all.size(); i++) {
            if (all.get(i).equals(STATS_PASSWORD)) {
                i++;
            } else if (!all.get(i).startsWith(STATS_PASSWORD + "=")) {
                words.add(all.get(i));
            }
        }
        words.addAll(more);
        return words;
    }

    private void listen(CommandedRun run) {
        if (!findsMax) {
            promptOptions.listen(run, spec.commandLine().getOut());
        }
    }

    /** What the command line asks for; to be called once. */
    RunPlan prepare() {
        options.isSearch = findsMax;
        oldOptions.applyTo(options);
        requestOptions.applyTo(options);
        ownOptions.applyTo(options);
        return plan();
    }

    private RunPlan plan() {
        return stormOptions.applyTo(ownOptions.applyTo(requestOptions.applyTo(options.plan())));
    }

    /** @return of the highest rate that passed, or of the lowest that did not when none did */
    private RunResult highest(Consumer<Snapshot> watcher) {
        PrintWriter out = spec.commandLine().getOut();
        List<RunResult> last = new ArrayList<>();
        String startRate = options.rate;
        new RateSearch(options.startRate(), SEARCH_PRECISION).highest(rate -> {
            if (results.isInterrupted()) {
                return false;
            }
            options.rate = String.valueOf(rate);
            RunResult result = run(new MqttWork(plan()), List.of("--rate=" + options.rate), watcher);
            out.printf(
                    Locale.ROOT,
                    "--- %.0f messages/s: %s %s%n",
                    rate,
                    result.verdict().outcome(),
                    String.join("; ", result.verdict().reasons()));
            boolean isPassed = result.verdict().isPassed();
            if (isPassed || last.isEmpty() || !last.get(0).verdict().isPassed()) {
                last.clear();
                last.add(result);
            }
            return isPassed;
        });
        options.rate = startRate;
        return last.get(0);
    }

    /** An interrupt from the keyboard ends the run, not the report. */
    private RunResult execute(MqttRun run) {
        run.inspectWith(brokerOptions.inspection());
        listen(run);
        return Interruptible.run(
                run::stop,
                () -> run.execute(settings(), Environment.capture(Version.text(), argumentsWithoutPassword())));
    }

    private List<String> argumentsWithoutPassword() {
        List<String> arguments =
                new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        for (String password : PASSWORDS) {
            int at = arguments.indexOf(password);
            if (at >= 0 && at + 1 < arguments.size()) {
                arguments.set(at + 1, "...");
            }
            arguments.replaceAll(argument -> argument.startsWith(password + "=") ? password + "=..." : argument);
        }
        return arguments;
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        spec.commandLine().getParseResult().matchedOptions().forEach(option -> {
            if (!PASSWORDS.contains(option.longestName())) {
                settings.put(option.longestName(), String.valueOf(option.<Object>getValue()));
            }
        });
        return settings;
    }
}
