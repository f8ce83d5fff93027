package dev.avocet.admin.service;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.input.Assignment;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormat;
import dev.avocet.admin.print.ObjectFormatOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin stat}: what happens in a broker. */
@Command(
        name = "stat",
        description =
                "Shows what happens in a broker: stat Subscription --sort BufferedMsgsHighest --top 10 SubType=Durable.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class StatCommand implements Callable<Integer> {
    /** Those of this version; a newer broker may know more. */
    private static final List<String> OBJECTS = List.of(
            "Server",
            "Endpoint",
            "Connection",
            "Subscription",
            "Topic",
            "MQTTClient",
            "Memory",
            "Store",
            "Queue",
            "Transaction");

    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";
    private static final String USUAL_INTERVAL_S = "2";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private final ObjectFormatOption output = new ObjectFormatOption();

    @Parameters(
            index = "0",
            paramLabel = "OBJECT",
            completionCandidates = Names.class,
            description = "${COMPLETION-CANDIDATES}")
    private String object = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "Name=value",
            description =
                    "which ones, such as ClientID=plant* (* stands for any characters), and what else the broker takes,"
                            + " such as SubType=History")
    private List<String> filters = new ArrayList<>();

    @Option(names = "--sort", paramLabel = "STATTYPE", description = "what comes first, such as BufferedMsgsHighest")
    private @Nullable String order;

    @Option(names = "--top", paramLabel = "N", description = "how many at most, or All (default: 25)")
    private @Nullable String top;

    @Option(
            names = "--watch",
            arity = "0..1",
            fallbackValue = USUAL_INTERVAL_S,
            paramLabel = "SECONDS",
            description = "show it again and again, every " + USUAL_INTERVAL_S + " seconds unless you say otherwise")
    private int intervalS;

    @Option(names = "--count", paramLabel = "N", description = "with --watch: how often (default: until you end it)")
    private int rounds = Integer.MAX_VALUE;

    @Option(names = "--columns", paramLabel = "NAME,…", description = "which columns a table or csv has")
    private @Nullable String columns;

    @Override
    public Integer call() throws AdminException {
        Map<String, String> question = question();
        AdminClient client = connection.client();
        String name = nameOf(object);
        StatisticsPrinter printer = new StatisticsPrinter(output.format(), wantedColumns(), out());
        if (intervalS == 0) {
            printer.print(name, Statistics.ask(client, name, question), order);
            return ExitCode.DONE;
        }
        if (intervalS < 0 || rounds < 1) {
            throw mistake("--watch takes seconds, and --count how often, both 1 or more");
        }
        watch(client, name, question, printer);
        return ExitCode.DONE;
    }

    private void watch(AdminClient client, String name, Map<String, String> question, StatisticsPrinter printer)
            throws AdminException {
        boolean redraws = Ansi.AUTO.enabled() && output.format() == ObjectFormat.TABLE;
        for (int round = 0; round < rounds; round++) {
            if (round > 0 && !pause()) {
                return;
            }
            Statistics told = Statistics.ask(client, name, question);
            if (redraws) {
                out().print(CLEAR_SCREEN);
            }
            printer.print(name, told, order);
        }
    }

    /** Until the next look; false when the user wants to leave. */
    private boolean pause() {
        try {
            return !new CountDownLatch(1).await(intervalS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Map<String, String> question() throws AdminException {
        Map<String, String> question = new LinkedHashMap<>();
        for (String filter : filters) {
            Assignment said = Assignment.parse(filter);
            question.put(said.name(), said.value());
        }
        if (order != null) {
            question.put("StatType", order);
        }
        if (top != null) {
            question.put("ResultCount", top);
        }
        return question;
    }

    /** As the broker writes it; hyphens, capitals and a plural do not matter. */
    public static String nameOf(String typed) {
        String plain = plain(typed);
        return OBJECTS.stream()
                .filter(name -> plain(name).equals(plain) || plain(name + "s").equals(plain))
                .findFirst()
                .orElse(typed);
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "");
    }

    private List<String> wantedColumns() {
        return columns == null ? List.of() : Arrays.asList(columns.split(",", -1));
    }

    private ParameterException mistake(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    /** For completion. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Names() {
            super(OBJECTS);
        }
    }
}
