package dev.avocet.admin.object;

import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.ObjectPrinter;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.names.NearestName;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code list}: all objects of a type. */
public final class ListVerb extends ObjectVerb {
    private final ObjectFormatOption output = new ObjectFormatOption();
    private final OptionSpec columns = OptionSpec.builder("--columns")
            .paramLabel("NAME,…")
            .type(String.class)
            .arity("1")
            .description(
                    "which properties a table or csv has; otherwise a table has the name, what is required and what"
                            + " differs from the default somewhere, and csv has everything")
            .build();

    public ListVerb(TypeSchema type) {
        super(type, "list", "Lists all of them.");
        spec().addMixin("output", CommandSpec.forAnnotatedObject(output));
        spec().addOption(columns);
    }

    @Override
    public Integer call() throws AdminException {
        List<String> wanted = wantedColumns();
        ConfigurationView view = api().objects(type().name());
        Map<String, Map<String, @Nullable Object>> objects = new LinkedHashMap<>();
        view.members().keySet().stream()
                .filter(view::has)
                .sorted()
                .forEach(name -> objects.put(name, view.object(name)));
        new ObjectPrinter(type(), output.format(), out()).several(objects, wanted);
        return ExitCode.DONE;
    }

    private List<String> wantedColumns() throws AdminException {
        String given = columns.getValue();
        List<String> wanted = given == null ? List.of() : Arrays.asList(given.split(",", -1));
        for (String column : wanted) {
            if (type().property(column).isEmpty()) {
                List<String> names =
                        type().properties().stream().map(PropertySchema::name).toList();
                throw new AdminException(
                        ExitCode.USAGE,
                        "a " + type().name() + " has no property '" + column + "'" + NearestName.advice(column, names));
            }
        }
        return wanted;
    }
}
