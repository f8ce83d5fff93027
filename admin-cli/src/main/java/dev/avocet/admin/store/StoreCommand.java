package dev.avocet.admin.store;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.input.JsonObject;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.OutputOption;
import dev.avocet.admin.print.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code broker-admin store}: what a broker keeps on disk. */
@Command(
        name = "store",
        description = "Looks into a broker's store, checks it and repairs it.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class StoreCommand implements Runnable {
    private static final String PATH = "/api/v1/monitor/Store";

    private final BrokerProgram broker;

    @Spec
    private @Nullable CommandSpec spec;

    public StoreCommand(BrokerProgram broker) {
        this.broker = broker;
    }

    @Override
    public void run() {
        throw mistake("say what to do: stat, verify or repair");
    }

    @Command(
            name = "stat",
            description = "Tells what the store holds: of a broker that runs, or with --offline of one that does not.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int stat(
            @Mixin ConnectionOptions connection,
            @Option(names = "--offline", description = "read the files of a broker that does not run") boolean offline,
            @Mixin DataOption data,
            @Mixin OutputOption output)
            throws AdminException {
        if (offline) {
            return offline("stat", data, output);
        }
        if (data.directory() != null) {
            throw mistake("--data goes with --offline; a broker that runs is asked over --url");
        }
        String json = connection.client().get(PATH).body();
        PrintWriter out = spec().commandLine().getOut();
        if (output.isJson()) {
            out.println(json.strip());
        } else {
            Table.print(figures(JsonObject.parse(json)), out);
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "verify",
            description =
                    "Reads the whole store of a broker that does not run and lists what is damaged. Changes nothing.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int verify(@Mixin DataOption data, @Mixin OutputOption output) throws AdminException {
        return offline("verify", data, output);
    }

    @Command(
            name = "repair",
            description =
                    "Takes away what is damaged in the store of a broker that does not run, so that it can start. What"
                            + " was taken away is lost; copy the directory before.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int repair(@Mixin DataOption data, @Mixin OutputOption output) throws AdminException {
        return offline("repair", data, output);
    }

    /** Brokers from before the answer had an envelope tell the figures without one. */
    private static Map<String, Object> figures(Map<String, Object> answer) {
        if (!(answer.get("Store") instanceof Map<?, ?> store)) {
            return answer;
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        store.forEach((name, value) -> figures.put(String.valueOf(name), value));
        return figures;
    }

    private int offline(String what, DataOption data, OutputOption output) throws AdminException {
        List<String> arguments = new ArrayList<>(List.of("store", what));
        if (data.directory() != null) {
            arguments.add("--data");
            arguments.add(data.directory().toString());
        }
        if (output.isJson()) {
            arguments.add("--json");
        }
        return broker.run(arguments);
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
