package dev.avocet.bench.mqtt;

import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.mqtt.engine.MqttRun;
import dev.avocet.bench.mqtt.engine.RunPlan;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.option.ResultOptions;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a workload. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a workload: 'run NAME' one of those that the command list names, with options that change it; 'run' with options alone.",
            "%nIn topic names and filters {i} stands for the client's number, {t} for that of its topic, {p} for the partition and {n} for the number in"
                    + " the partition.%n"
        })
final class RunCommand implements Callable<Integer> {
    private static final long REPORT_SECONDS = 30;
    private static final double SEARCH_PRECISION = 0.05;
    private static final String PASSWORD = "--password";

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private OldOptions oldOptions = new OldOptions();

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Mixin
    private RequestOptions requestOptions = new RequestOptions();

    @Mixin
    private StormOptions stormOptions = new StormOptions();

    @Option(
            names = "--find-max",
            description =
                    "looks for the highest rate that passes, from --rate on, within 5 %%; each try is a run of its own")
    private boolean findsMax;

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
        oldOptions.applyTo(options);
        requestOptions.applyTo(options);
        RunPlan plan = plan();
        RunGroup runs = results.report(
                spec.commandLine().getOut(),
                watcher -> findsMax ? highest(watcher) : execute(new MqttRun(plan, RunClock.system(), watcher)));
        return ExitCode.of(runs.outcome());
    }

    private RunPlan plan() {
        return stormOptions.applyTo(requestOptions.applyTo(options.plan()));
    }

    /** @return of the highest rate that passed, or of the lowest that did not when none did */
    private RunResult highest(Consumer<Snapshot> watcher) {
        PrintWriter out = spec.commandLine().getOut();
        List<RunResult> last = new ArrayList<>();
        String startRate = options.rate;
        new RateSearch(options.startRate(), SEARCH_PRECISION).highest(rate -> {
            options.rate = String.valueOf(rate);
            RunResult result = execute(new MqttRun(plan(), RunClock.system(), watcher));
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
        CountDownLatch isDone = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            run.stop();
            awaitReport(isDone);
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return run.execute(settings(), Environment.capture(Version.text(), argumentsWithoutPassword()));
        } finally {
            isDone.countDown();
            removeHook(hook);
        }
    }

    private static void awaitReport(CountDownLatch isDone) {
        try {
            if (isDone.await(REPORT_SECONDS, TimeUnit.SECONDS)) {
                // The report itself takes a moment more.
                isDone.await(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // It is running.
            return;
        }
    }

    private List<String> argumentsWithoutPassword() {
        List<String> arguments =
                new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        int at = arguments.indexOf(PASSWORD);
        if (at >= 0 && at + 1 < arguments.size()) {
            arguments.set(at + 1, "...");
        }
        arguments.replaceAll(argument -> argument.startsWith(PASSWORD + "=") ? PASSWORD + "=..." : argument);
        return arguments;
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        spec.commandLine().getParseResult().matchedOptions().forEach(option -> {
            if (!option.longestName().equals(PASSWORD)) {
                settings.put(option.longestName(), String.valueOf(option.<Object>getValue()));
            }
        });
        return settings;
    }
}
