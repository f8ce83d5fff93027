package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.SavedLogins;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code broker-admin logout}. */
@Command(
        name = "logout",
        description = "Forgets the token for that --url.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class LogoutCommand implements Callable<Integer> {
    @Mixin
    private @Nullable ConnectionOptions connection;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws AdminException {
        ConnectionOptions options = Objects.requireNonNull(connection);
        boolean was = SavedLogins.ofUser().forget(options.url());
        Objects.requireNonNull(spec)
                .commandLine()
                .getOut()
                .println(was ? "logged out of " + options.url() : "no login was kept for " + options.url());
        return ExitCode.DONE;
    }
}
