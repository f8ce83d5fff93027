package dev.avocet.admin.imaserver;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.input.NewPassword;
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

/** {@code imaserver user add|edit|delete|list "UserID=anna" …}, as MessageSight 1 has it. */
@Command(
        name = "user",
        description = "Users of clients: user add \"UserID=anna\" \"GroupMembership=plant\".",
        mixinStandardHelpOptions = true)
final class OldUserCommand implements Callable<Integer> {
    private static final String PASSWORD = "Password";

    @Mixin
    private @Nullable ConnectionOptions connection;

    @Mixin
    private @Nullable NewPassword newPassword;

    @Parameters(index = "0", paramLabel = "VERB", description = "add, edit, delete or list")
    private String verb = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "Property=value", description = "such as UserID=anna")
    private List<String> words = List.of();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws AdminException {
        OldWords given = OldWords.of(words, "UserID", List.of("Type", PASSWORD, "GroupMembership"));
        if (!given.text("Type", "Messaging").equalsIgnoreCase("Messaging")) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "there are users of Type=Messaging only; who may administer is said by a ConfigurationPolicy");
        }
        UserApi users = UserApi.users(Objects.requireNonNull(connection).client());
        switch (verb) {
            case "add" ->
                users.createUser(
                        given.name(),
                        password(given),
                        Objects.requireNonNullElse(given.names("GroupMembership"), List.of()));
            case "edit" -> edit(users, given);
            case "delete" -> users.delete(given.name());
            case "list" ->
                given.print(
                        users.all(), Objects.requireNonNull(spec).commandLine().getOut());
            default -> throw OldWords.unknownVerb(verb);
        }
        return ExitCode.DONE;
    }

    private void edit(UserApi users, OldWords given) throws AdminException {
        List<String> groups = given.names("GroupMembership");
        boolean changesPassword = given.has(PASSWORD) || newPassword().isGiven() || groups == null;
        users.update(given.name(), changesPassword ? new UserApi.Password(password(given)) : null, groups);
    }

    private @Nullable String password(OldWords given) throws AdminException {
        if (!given.has(PASSWORD)) {
            return newPassword().of(given.name());
        }
        Objects.requireNonNull(spec)
                .commandLine()
                .getErr()
                .println("broker-admin: caution: every user of this machine can read a password that is an argument;"
                        + " use --new-password-file");
        return given.text(PASSWORD, "");
    }

    private NewPassword newPassword() {
        return Objects.requireNonNull(newPassword);
    }
}
