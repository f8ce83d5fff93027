package dev.avocet.admin.imaserver;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ObjectChange;
import dev.avocet.admin.input.Assignment;
import dev.avocet.admin.object.ObjectChanger;
import dev.avocet.admin.object.TypeAccess;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.Csv;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import dev.avocet.admin.service.StatCommand;
import dev.avocet.admin.service.Statistics;
import dev.avocet.names.NearestName;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin imaserver}: the shape of MessageSight 1, so that its scripts go on. */
@Command(
        name = "imaserver",
        description = "Takes commands as MessageSight 1 does: create Queue \"Name=orders\" \"MaxMessages=100\".",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        subcommands = {OldUserCommand.class, OldGroupCommand.class, OldApplyCommand.class, CommandLine.HelpCommand.class
        })
public final class ImaserverCommand extends OldServerVerbs implements Runnable {
    private static final int ATTEMPTS = 5;

    private final Schema schema;

    @Spec
    private @Nullable CommandSpec spec;

    public ImaserverCommand(Schema schema) {
        this.schema = schema;
    }

    /** {@code imaserver VERB … help} asks for help, as it did in MessageSight 1. */
    public static String[] withHelp(String... arguments) {
        int last = arguments.length - 1;
        return last >= 2 && arguments[0].equals("imaserver") && arguments[last].equals("help")
                ? new String[] {arguments[0], arguments[1], "--help"}
                : arguments;
    }

    @Override
    public void run() {
        throw mistake("say what to do: create, update, delete, list, show, stat, get, set, user, group, apply, status,"
                + " version, help, backup, restore, trace, close, purge, test, harole, runmode, start or stop");
    }

    @Command(name = "create", description = "Creates an object.", mixinStandardHelpOptions = true)
    int create(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "ObjectType", description = "such as Queue") String type,
            @Parameters(index = "1..*", paramLabel = "Property=value", description = "such as Name=orders")
                    List<String> properties)
            throws AdminException {
        return change(connection, type, properties, true);
    }

    @Command(name = "update", description = "Changes an object.", mixinStandardHelpOptions = true)
    int update(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "ObjectType", description = "such as Queue") String type,
            @Parameters(index = "1..*", paramLabel = "Property=value", description = "such as Name=orders")
                    List<String> properties)
            throws AdminException {
        return change(connection, type, properties, false);
    }

    @Command(name = "delete", description = "Deletes an object.", mixinStandardHelpOptions = true)
    int delete(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "ObjectType", description = "such as Queue") String type,
            @Parameters(
                            index = "1..*",
                            paramLabel = "Property=value",
                            description = "Name, and DiscardMessages=true or DiscardSharers=true")
                    List<String> properties)
            throws AdminException {
        Named given = Named.of(type, schema, properties);
        ConfigurationApi api = new ConfigurationApi(connection.client());
        TypeSchema found = typeOf(api, type, given.name());
        Map<String, String> parameters = new LinkedHashMap<>();
        given.rest().forEach((name, assignment) -> parameters.put(name, assignment.value()));
        out().println(api.delete(found, given.name(), parameters));
        return ExitCode.DONE;
    }

    @Command(name = "list", description = "Lists names of objects.", mixinStandardHelpOptions = true)
    int list(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "ObjectType", description = "such as Queue") String type)
            throws AdminException {
        ConfigurationApi api = new ConfigurationApi(connection.client());
        TreeSet<String> names = new TreeSet<>();
        for (TypeSchema each : types(type)) {
            ConfigurationView view = api.objects(each.name());
            view.members().keySet().stream().filter(view::has).forEach(names::add);
        }
        names.forEach(out()::println);
        return ExitCode.DONE;
    }

    @Command(name = "show", description = "Shows the properties of an object.", mixinStandardHelpOptions = true)
    int show(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "ObjectType", description = "such as Queue") String type,
            @Parameters(index = "1..*", arity = "0..*", paramLabel = "Name=…", description = "which one") @Nullable List<String> properties)
            throws AdminException {
        ConfigurationApi api = new ConfigurationApi(connection.client());
        String name = isSingle(type)
                ? ""
                : Named.of(type, schema, properties == null ? List.of() : properties)
                        .name();
        TypeSchema found = typeOf(api, type, name);
        TypeAccess access = new TypeAccess(api, found);
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        found.key().ifPresent(key -> object.put(key.name(), name));
        access.existing(access.view(), name).forEach(object::putIfAbsent);
        object.forEach((property, value) -> out().println(property + " = " + Values.text(value)));
        return ExitCode.DONE;
    }

    @Command(name = "stat", description = "Shows what happens in the broker.", mixinStandardHelpOptions = true)
    int stat(
            @Mixin ConnectionOptions connection,
            @Parameters(
                            index = "0",
                            arity = "0..1",
                            defaultValue = "Server",
                            paramLabel = "ObjectType",
                            description = "such as Subscription")
                    String type,
            @Parameters(
                            index = "1..*",
                            arity = "0..*",
                            paramLabel = "Option=value",
                            description = "such as StatType=BufferedMsgsHighest")
                    @Nullable List<String> options)
            throws AdminException {
        Map<String, String> question = new LinkedHashMap<>();
        for (String option : options == null ? List.<String>of() : options) {
            Assignment said = Assignment.parse(option);
            question.put(said.name(), said.value());
        }
        Statistics told = Statistics.ask(connection.client(), StatCommand.nameOf(type), question);
        Csv.printQuoted(told.columns(), told.rows(), out());
        return ExitCode.DONE;
    }

    @Command(name = "get", description = "Shows what there is one of.", mixinStandardHelpOptions = true)
    int get(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "Property", description = "such as LogLevel") String property)
            throws AdminException {
        if (ForeignValues.has(property)) {
            out().println(property + " = " + Values.text(new ForeignValues(connection.client()).get(property)));
            return ExitCode.DONE;
        }
        String name = singleton(property).name();
        ConfigurationApi api = new ConfigurationApi(connection.client());
        Object value = new TypeAccess(api, schema.values()).view().members().get(name);
        out().println(name + " = " + Values.text(value));
        return ExitCode.DONE;
    }

    @Command(name = "set", description = "Changes what there is one of.", mixinStandardHelpOptions = true)
    int set(
            @Mixin ConnectionOptions connection,
            @Parameters(arity = "1..2", paramLabel = "Property=value", description = "such as LogLevel=MAX")
                    List<String> words)
            throws AdminException {
        Assignment assignment =
                words.size() == 2 ? new Assignment(words.get(0), words.get(1)) : Assignment.parse(words.get(0));
        if (ForeignValues.has(assignment.name())) {
            List<String> warnings = new ForeignValues(connection.client()).set(assignment);
            warnings.forEach(warning -> spec().commandLine().getErr().println("broker-admin: caution: " + warning));
            out().println(assignment.name() + " set");
            return ExitCode.DONE;
        }
        TypeSchema values = schema.values();
        Map<String, Object> change = Map.of(singleton(assignment.name()).name(), assignment.plain(values));
        new ObjectChanger(new ConfigurationApi(connection.client()), values, ATTEMPTS).change("", change, false, false);
        out().println(assignment.name() + " set");
        return ExitCode.DONE;
    }

    private int change(ConnectionOptions connection, String typeName, List<String> properties, boolean isNew)
            throws AdminException {
        boolean isSingle = isSingle(typeName);
        Named given = isSingle ? Named.unnamed(properties) : Named.of(typeName, schema, properties);
        if (isSingle && isNew) {
            throw mistake("there is one " + typeName + ", which is there already; update it");
        }
        ConfigurationApi api = new ConfigurationApi(connection.client());
        TypeSchema type = isNew ? newType(typeName, given) : typeOf(api, typeName, given.name());
        Map<String, Object> values = new LinkedHashMap<>();
        for (Assignment assignment : given.rest().values()) {
            values.put(assignment.name(), assignment.plain(type));
        }
        OldPolicy.rename(typeName, type, values);
        ObjectChanger changer = new ObjectChanger(api, type, ATTEMPTS);
        ObjectChange unused = changer.change(given.name(), values, isNew, false);
        out().println(type.called(given.name()) + (isNew ? " created" : " updated"));
        return changer.tellProblems(Objects.requireNonNull(spec).commandLine().getErr());
    }

    private boolean isSingle(String typeName) {
        return schema.type(typeName).map(TypeSchema::shape).orElse(Shape.NAMED) == Shape.SINGLE;
    }

    private TypeSchema newType(String typeName, Named given) throws AdminException {
        if (!OldPolicy.is(typeName)) {
            return types(typeName).get(0);
        }
        Assignment destination = given.rest().get(OldPolicy.DESTINATION_TYPE);
        return OldPolicy.typeFor(destination == null ? "" : destination.value(), schema);
    }

    /** Which type the name means; a MessagingPolicy is of one of three. */
    private TypeSchema typeOf(ConfigurationApi api, String typeName, String name) throws AdminException {
        List<TypeSchema> types = types(typeName);
        if (types.size() == 1) {
            return types.get(0);
        }
        Optional<TypeSchema> found = Optional.empty();
        for (TypeSchema type : types) {
            if (api.objects(type.name()).has(name)) {
                if (found.isPresent()) {
                    throw mistake("there is a " + found.get().called(name) + " and a " + type.called(name)
                            + "; say which type you mean");
                }
                found = Optional.of(type);
            }
        }
        return found.orElseThrow(() -> new AdminException(ExitCode.NOT_FOUND, "there is no " + typeName + " " + name));
    }

    private List<TypeSchema> types(String name) {
        if (OldPolicy.is(name)) {
            return OldPolicy.types(schema);
        }
        List<String> names = schema.types().stream()
                .filter(type -> type.shape() != Shape.VALUES)
                .map(TypeSchema::name)
                .toList();
        return List.of(schema.type(name)
                .filter(type -> type.shape() != Shape.VALUES)
                .orElseThrow(
                        () -> mistake("there is no type '" + name + "' of objects" + NearestName.advice(name, names))));
    }

    private PropertySchema singleton(String name) {
        TypeSchema values = schema.values();
        List<String> names =
                values.properties().stream().map(PropertySchema::name).toList();
        return values.property(name)
                .orElseThrow(() -> mistake("there is no '" + name + "'" + NearestName.advice(name, names)));
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    @Override
    CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
