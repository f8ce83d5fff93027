package dev.avocet.admin.object;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.print.HelpText;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What can be done with objects of a type: one command. Its options are known only when the program runs. */
public abstract class ObjectVerb implements Callable<Integer> {
    private final TypeSchema type;
    private final CommandSpec spec;
    private final ConnectionOptions connection = new ConnectionOptions();
    private @Nullable PositionalParamSpec name;

    ObjectVerb(TypeSchema type, String verb, String description) {
        this.type = type;
        this.spec = CommandSpec.wrapWithoutInspection(this).name(verb);
        spec.usageMessage().description(description).autoWidth(true).sortOptions(false);
        spec.mixinStandardHelpOptions(true);
        spec.addMixin("connection", CommandSpec.forAnnotatedObject(connection));
    }

    CommandSpec spec() {
        return spec;
    }

    TypeSchema type() {
        return type;
    }

    /** The name of the object, where objects of the type have one. */
    void takesName() {
        if (type.shape() == Shape.NAMED) {
            name = PositionalParamSpec.builder()
                    .index("0")
                    .arity("1")
                    .required(true)
                    .paramLabel(type.key().map(PropertySchema::name).orElse("Name"))
                    .type(String.class)
                    .description(HelpText.of(
                            type.key().map(PropertySchema::documentation).orElse("")))
                    .build();
            spec.addPositional(name);
        }
    }

    static OptionSpec flag(String option, String description) {
        return OptionSpec.builder(option)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    static boolean isGiven(OptionSpec flag) {
        return Boolean.TRUE.equals(flag.<Boolean>getValue());
    }

    /** The name that was given; empty where there is one object only. */
    String name() {
        String given = name == null ? null : name.getValue();
        return given == null ? "" : given;
    }

    ConfigurationApi api() throws AdminException {
        return new ConfigurationApi(client());
    }

    AdminClient client() throws AdminException {
        return connection.client();
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    public static CommandLine noun(TypeSchema type, List<ObjectVerb> verbs) {
        return noun(type, verbs, CommandSpec.create());
    }

    /** @param spec of an object whose methods are verbs as well: they are called on the object of the noun */
    public static CommandLine noun(TypeSchema type, List<ObjectVerb> verbs, CommandSpec spec) {
        spec.name(type.noun());
        spec.usageMessage().description(HelpText.of(type.documentation())).autoWidth(true);
        spec.mixinStandardHelpOptions(true);
        verbs.forEach(verb -> spec.addSubcommand(verb.spec().name(), verb.spec()));
        return new CommandLine(spec);
    }
}
