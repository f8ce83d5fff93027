package dev.avocet.admin.imaserver;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.user.UserApi;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imaserver group add|edit|delete|list "GroupID=plant" …}, as MessageSight 1 has it. */
@Command(
        name = "group",
        description = "Groups of users: group add \"GroupID=plant\" \"GroupMembership=company\".",
        mixinStandardHelpOptions = true)
final class OldGroupCommand implements Callable<Integer> {
    @Mixin
    private @Nullable ConnectionOptions connection;

    @Parameters(index = "0", paramLabel = "VERB", description = "add, edit, delete or list")
    private String verb = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "Property=value", description = "such as GroupID=plant")
    private List<String> words = List.of();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws AdminException {
        OldWords given = OldWords.of(words, "GroupID", List.of("Description", "GroupMembership"));
        List<String> groups = given.names("GroupMembership");
        UserApi api = UserApi.groups(Objects.requireNonNull(connection).client());
        switch (verb) {
            case "add" -> api.createGroup(given.name(), groups == null ? List.of() : groups);
            case "edit" -> {
                var unused = api.one(given.name()); // which says so when there is none
                if (groups != null) {
                    api.replace(given.name(), groups);
                }
            }
            case "delete" -> api.delete(given.name());
            case "list" ->
                given.print(
                        api.all(), Objects.requireNonNull(spec).commandLine().getOut());
            default -> throw OldWords.unknownVerb(verb);
        }
        return ExitCode.DONE;
    }
}
