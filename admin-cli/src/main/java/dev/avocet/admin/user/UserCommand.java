package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.input.NameList;
import dev.avocet.admin.input.NewPassword;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin user}. */
@Command(
        name = "user",
        description = "Users of clients: who may log in, with which password, in which groups.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class UserCommand implements Runnable {
    private static final List<String> COLUMNS = List.of("Name", "Groups", "Source");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                Objects.requireNonNull(spec).commandLine(), "say what to do: create, update, show, list or delete");
    }

    @Command(name = "create", description = "Creates a user.", mixinStandardHelpOptions = true, sortOptions = false)
    int create(
            @Parameters(paramLabel = "Name", description = "what clients log in as") String name,
            @Option(
                            names = "--groups",
                            split = ",",
                            paramLabel = "NAME",
                            description = "the groups that the user is in")
                    @Nullable List<String> groups,
            @Mixin NewPassword password,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        UserApi users = UserApi.users(connection.client());
        users.createUser(name, password.of(name), groups == null ? List.of() : NameList.of(groups));
        out().println("user " + name + " created");
        return ExitCode.DONE;
    }

    @Command(
            name = "update",
            description = "Gives a user another password, or other groups; what is not named stays.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int update(
            @Parameters(paramLabel = "Name", description = "which one") String name,
            @Option(names = "--password", description = "asks for another password") boolean another,
            @Option(
                            names = "--groups",
                            split = ",",
                            paramLabel = "NAME",
                            description = "all groups that the user is in from now on; \"\" for none")
                    @Nullable List<String> groups,
            @Mixin NewPassword password,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        boolean changesPassword = another || password.isGiven() || groups == null;
        UserApi users = UserApi.users(connection.client());
        users.update(
                name,
                changesPassword ? new UserApi.Password(password.of(name)) : null,
                groups == null ? null : NameList.of(groups));
        out().println("user " + name + " updated");
        return ExitCode.DONE;
    }

    @Command(name = "show", description = "Shows a user.", mixinStandardHelpOptions = true)
    int show(
            @Parameters(paramLabel = "Name", description = "which one") String name,
            @Mixin ObjectFormatOption output,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        members(connection).show(name, output);
        return ExitCode.DONE;
    }

    @Command(name = "list", description = "Lists all users.", mixinStandardHelpOptions = true)
    int list(@Mixin ObjectFormatOption output, @Mixin ConnectionOptions connection) throws AdminException {
        members(connection).list(output);
        return ExitCode.DONE;
    }

    @Command(
            name = "delete",
            description = "Deletes a user and closes the user's connections.",
            mixinStandardHelpOptions = true)
    int delete(
            @Parameters(paramLabel = "Name", description = "which one") String name,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        UserApi.users(connection.client()).delete(name);
        out().println("user " + name + " deleted");
        return ExitCode.DONE;
    }

    private Members members(ConnectionOptions connection) throws AdminException {
        return new Members(UserApi.users(connection.client()), COLUMNS, out());
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
