package dev.avocet.admin.configuration;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Schema;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code broker-admin apply}: makes a broker have what files say. */
@Command(
        name = "apply",
        description =
                "Creates and updates objects until they are as files say. A property that they do not name keeps its"
                        + " value. All of it is one change, which the broker makes or refuses as a whole.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class ApplyCommand implements Callable<Integer> {
    private final Schema schema;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "JSON if it is called .json, else YAML; - for the standard input; may be repeated")
    private List<String> files = List.of();

    @Option(names = "--prune", description = "delete objects that the files do not name, of those types that they name")
    private boolean prunes;

    @Option(names = "--dry-run", description = "have the broker check it, show what would change, and change nothing")
    private boolean isDryRun;

    public ApplyCommand(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Integer call() throws AdminException {
        ConfigurationDocument wanted = ConfigurationDocument.read(schema, files);
        ConfigurationApi api = new ConfigurationApi(connection.client());
        ConfigurationView now = api.all();
        ApplyPlan plan = ApplyPlan.of(schema, now, wanted, prunes);
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        List<String> problems = List.of();
        if (!isDryRun) {
            problems = carryOut(plan, api, now.version());
        } else if (!plan.isNothing()) {
            api.check(plan.body(), plan.deletions(), now.version());
        }
        plan.changes().forEach(change -> change.print(out));
        plan.deletions().forEach(deletion -> deletion.print(out));
        if (plan.isNothing()) {
            out.println("nothing to change");
        }
        PrintWriter err = spec.commandLine().getErr();
        problems.forEach(problem -> err.println("broker-admin: warning: " + problem));
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.WITHOUT_EFFECT;
    }

    /** Returns what does not work now. */
    private static List<String> carryOut(ApplyPlan plan, ConfigurationApi api, @Nullable String version)
            throws AdminException {
        if (plan.isNothing()) {
            return List.of();
        }
        return plan.deletions().isEmpty()
                ? api.change(plan.body(), version)
                : api.change(plan.body(), plan.deletions(), version);
    }
}
