package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.input.NameList;
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

/** {@code broker-admin group}. */
@Command(
        name = "group",
        description = "Groups of users, which policies ask for with GroupID; groups may be in groups.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class GroupCommand implements Runnable {
    private static final List<String> COLUMNS = List.of("Name", "Groups", "Users");
    private static final String GROUPS = "the groups that it is in itself";

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                Objects.requireNonNull(spec).commandLine(), "say what to do: create, update, show, list or delete");
    }

    @Command(name = "create", description = "Creates a group.", mixinStandardHelpOptions = true, sortOptions = false)
    int create(
            @Parameters(paramLabel = "Name", description = "what policies call it") String name,
            @Option(names = "--groups", split = ",", paramLabel = "NAME", description = GROUPS) @Nullable List<String> groups,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        UserApi.groups(connection.client()).createGroup(name, groups == null ? List.of() : NameList.of(groups));
        out().println("group " + name + " created");
        return ExitCode.DONE;
    }

    @Command(
            name = "update",
            description = "Says anew which groups a group is in.",
            mixinStandardHelpOptions = true,
            sortOptions = false)
    int update(
            @Parameters(paramLabel = "Name", description = "which one") String name,
            @Option(
                            names = "--groups",
                            split = ",",
                            required = true,
                            paramLabel = "NAME",
                            description = GROUPS + "; \"\" for none")
                    List<String> groups,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        UserApi api = UserApi.groups(connection.client());
        var unused = api.one(name); // which says so when there is none
        api.replace(name, NameList.of(groups));
        out().println("group " + name + " updated");
        return ExitCode.DONE;
    }

    @Command(name = "show", description = "Shows a group and its members.", mixinStandardHelpOptions = true)
    int show(
            @Parameters(paramLabel = "Name", description = "which one") String name,
            @Mixin ObjectFormatOption output,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        members(connection).show(name, output);
        return ExitCode.DONE;
    }

    @Command(name = "list", description = "Lists all groups.", mixinStandardHelpOptions = true)
    int list(@Mixin ObjectFormatOption output, @Mixin ConnectionOptions connection) throws AdminException {
        members(connection).list(output);
        return ExitCode.DONE;
    }

    @Command(name = "delete", description = "Deletes a group without members.", mixinStandardHelpOptions = true)
    int delete(
            @Parameters(paramLabel = "Name", description = "which one") String name,
            @Mixin ConnectionOptions connection)
            throws AdminException {
        UserApi.groups(connection.client()).delete(name);
        out().println("group " + name + " deleted");
        return ExitCode.DONE;
    }

    private Members members(ConnectionOptions connection) throws AdminException {
        return new Members(UserApi.groups(connection.client()), COLUMNS, out());
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
