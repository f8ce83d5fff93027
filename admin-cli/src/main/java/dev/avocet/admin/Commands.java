package dev.avocet.admin;

import dev.avocet.admin.client.ClientCommand;
import dev.avocet.admin.client.ClientSetCommand;
import dev.avocet.admin.client.SubscriptionCommand;
import dev.avocet.admin.configuration.ApplyCommand;
import dev.avocet.admin.configuration.ConfigCommand;
import dev.avocet.admin.configuration.ExportCommand;
import dev.avocet.admin.configuration.ImportCommand;
import dev.avocet.admin.doctor.DoctorCommand;
import dev.avocet.admin.imaserver.ImaserverCommand;
import dev.avocet.admin.message.MessageCommand;
import dev.avocet.admin.message.QueueCommands;
import dev.avocet.admin.message.RetainedCommand;
import dev.avocet.admin.message.TransactionCommand;
import dev.avocet.admin.object.ChangeVerb;
import dev.avocet.admin.object.DeleteVerb;
import dev.avocet.admin.object.FileCommand;
import dev.avocet.admin.object.ListVerb;
import dev.avocet.admin.object.ObjectVerb;
import dev.avocet.admin.object.ShowVerb;
import dev.avocet.admin.print.HelpText;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.service.DiagnosticsCommand;
import dev.avocet.admin.service.ExplainCommand;
import dev.avocet.admin.service.HaCommand;
import dev.avocet.admin.service.ServiceCommand;
import dev.avocet.admin.service.StatCommand;
import dev.avocet.admin.store.BrokerProgram;
import dev.avocet.admin.store.InitCommand;
import dev.avocet.admin.store.StoreCommand;
import dev.avocet.admin.user.GroupCommand;
import dev.avocet.admin.user.LdapCommands;
import dev.avocet.admin.user.LoginCommand;
import dev.avocet.admin.user.LogoutCommand;
import dev.avocet.admin.user.LtpaCommands;
import dev.avocet.admin.user.OAuthCommands;
import dev.avocet.admin.user.UserCommand;
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
        add("message", MessageCommand.class, MessageCommand::new);
        add("transaction", TransactionCommand.class, TransactionCommand::new);
        add("service", ServiceCommand.class, ServiceCommand::new);
        add("ha", HaCommand.class, HaCommand::new);
        add("doctor", DoctorCommand.class, () -> new DoctorCommand(broker.home()));
        add("diagnostics", DiagnosticsCommand.class, DiagnosticsCommand::new);
        add("store", StoreCommand.class, () -> new StoreCommand(broker));
        add("stat", StatCommand.class, StatCommand::new);
        add("explain", ExplainCommand.class, ExplainCommand::new);
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
            case "oauth-profile" ->
                ObjectVerb.noun(type, verbs(type), CommandSpec.forAnnotatedObject(new OAuthCommands()));
            case "ltpa-profile" ->
                ObjectVerb.noun(type, verbs(type), CommandSpec.forAnnotatedObject(new LtpaCommands()));
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
