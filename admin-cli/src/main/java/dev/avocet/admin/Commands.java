package dev.avocet.admin;

import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * All commands, a noun for each type of objects among them. Making all of them would take a good part of a short run.
 */
final class Commands {
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private record Entry(Supplier<String> description, Supplier<CommandLine> command) {}

    /** @param complete the program with everything that it can do, for completion */
    Commands(BrokerProgram broker, Schema schema, Supplier<CommandLine> complete) {
        add("init", InitCommand.class, () -> new InitCommand(broker));
        add("client", ClientCommand.class, ClientCommand::new);
        add("subscription", SubscriptionCommand.class, SubscriptionCommand::new);
        add("retained", RetainedCommand.class, RetainedCommand::new);
        add("client-set", ClientSetCommand.class, ClientSetCommand::new);
        add("transaction", TransactionCommand.class, TransactionCommand::new);
        add("service", ServiceCommand.class, ServiceCommand::new);
        add("ha", HaCommand.class, HaCommand::new);
        add("doctor", DoctorCommand.class, () -> new DoctorCommand(broker.home()));
        add("diagnostics", DiagnosticsCommand.class, DiagnosticsCommand::new);
        add("store", StoreCommand.class, () -> new StoreCommand(broker));
        add("stat", StatCommand.class, StatCommand::new);
        add("config", ConfigCommand.class, ConfigCommand::new);
        add("apply", ApplyCommand.class, () -> new ApplyCommand(schema));
        add("export", ExportCommand.class, () -> new ExportCommand(schema));
        add("import", ImportCommand.class, ImportCommand::new);
        add("imaserver", ImaserverCommand.class, () -> new ImaserverCommand(schema));
        add("user", UserCommand.class, UserCommand::new);
        add("login", LoginCommand.class, LoginCommand::new);
        add("logout", LogoutCommand.class, LogoutCommand::new);
        add("file", FileCommand.class, FileCommand::new);
        add("group", GroupCommand.class, GroupCommand::new);
        add("completion", CompletionCommand.class, () -> new CompletionCommand(broker.home(), complete));
        schema.types().stream()
                .sorted((a, b) -> a.noun().compareTo(b.noun()))
                .forEach(type ->
                        entries.put(type.noun(), new Entry(() -> HelpText.of(type.documentation()), () -> noun(type))));
    }

    /** Adds those that are needed; if none is, all of them in name only, for help and for mistyped ones. */
    void addTo(CommandLine program, Predicate<String> isNeeded) {
        if (entries.keySet().stream().noneMatch(isNeeded)) {
            entries.forEach((name, entry) -> {
                CommandSpec nameOnly = CommandSpec.create().name(name);
                nameOnly.usageMessage().description(entry.description().get());
                program.addSubcommand(name, nameOnly);
            });
            return;
        }
        entries.forEach((name, entry) -> {
            if (isNeeded.test(name)) {
                program.addSubcommand(name, entry.command().get());
            }
        });
    }

    private void add(String name, Class<?> commandClass, Supplier<Object> command) {
        entries.put(
                name,
                new Entry(
                        () -> commandClass.getAnnotation(Command.class).description()[0],
                        () -> new CommandLine(command.get())));
    }

    private static CommandLine noun(TypeSchema type) {
        return switch (type.noun()) {
            case "queue" -> ObjectVerb.noun(type, verbs(type), CommandSpec.forAnnotatedObject(new QueueCommands()));
            case "ldap" -> ObjectVerb.noun(type, verbs(type), CommandSpec.forAnnotatedObject(new LdapCommands()));
            default -> ObjectVerb.noun(type, verbs(type));
        };
    }

    private static List<ObjectVerb> verbs(TypeSchema type) {
        return type.shape() == Shape.NAMED
                ? List.of(
                        ChangeVerb.create(type),
                        ChangeVerb.update(type),
                        new ShowVerb(type),
                        new ListVerb(type),
                        new DeleteVerb(type))
                : List.of(ChangeVerb.update(type), new ShowVerb(type));
    }
}
