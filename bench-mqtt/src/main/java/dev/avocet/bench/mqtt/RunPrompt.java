package dev.avocet.bench.mqtt;

import static java.util.Locale.ROOT;

import dev.avocet.bench.environment.Environment;
import dev.avocet.bench.part.CommandedRun;
import dev.avocet.bench.part.LiveRun;
import dev.avocet.bench.report.TerminalReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;

/**
 * Understands the commands for a run. Called by the thread that reads them; what touches the run is done by the run's
 * thread.
 */
final class RunPrompt {
    private static final String RATE = "rate=";
    private static final String HELP = """
            stat, or nothing   what happened since the last report
            al                 all latencies up to the last report
            resetlat           forgets the latencies so far
            rate=N             from now on N messages per second in all
            lse                what went wrong first
            uptime             how long it has been running
            env                processor, kernel, limits, JVM
            ver                version of mqttbench
            quit, close        ends the run now, with its report
            help               this""";

    private final CommandedRun run;
    private final PrintWriter out;

    RunPrompt(CommandedRun run, PrintWriter out) {
        this.run = run;
        this.out = out;
    }

    void accept(String line) {
        if (line.startsWith(RATE)) {
            changeRate(line.substring(RATE.length()));
            return;
        }
        TerminalReport report = new TerminalReport(out);
        switch (line) {
            case "", "stat" -> submit(LiveRun::report);
            case "al" -> submit(live -> report.latencies(live.latencies()));
            case "resetlat" -> submit(LiveRun::resetLatencies);
            case "lse" -> submit(live -> out.println(live.firstTrouble().isEmpty() ? "nothing" : live.firstTrouble()));
            case "uptime" -> out.printf(ROOT, "%.1f s%n", run.seconds());
            case "env" -> Environment.capture(Version.text(), List.of()).forEach((k, v) -> out.println(k + ": " + v));
            case "ver" -> out.println(Version.text());
            case "quit", "close" -> run.stop();
            case "help" -> out.println(HELP);
            default -> out.println("no command is called " + line + "; see help");
        }
        out.flush();
    }

    private void changeRate(String word) {
        try {
            double rate = Double.parseDouble(word);
            if (rate >= 0 && rate < Double.POSITIVE_INFINITY) {
                submit(live -> live.changeRate(rate));
                return;
            }
        } catch (NumberFormatException notANumber) {
            // Said below.
        }
        out.println("rate= takes messages per second, such as rate=50000, not " + word);
    }

    private void submit(Consumer<LiveRun> command) {
        if (!run.submit(command)) {
            out.println("the run is over, or busy with other commands");
        }
    }
}
