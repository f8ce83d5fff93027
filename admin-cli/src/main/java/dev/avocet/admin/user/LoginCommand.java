package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.SavedLogins;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code broker-admin login}. */
@Command(
        name = "login",
        description =
                "Gets a token for the password of --user, which the next commands for that --url use without being asked.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class LoginCommand implements Callable<Integer> {
    @Mixin
    private @Nullable ConnectionOptions connection;

    @Option(
            names = "--lifetime",
            paramLabel = "SECONDS",
            defaultValue = "28800",
            description = "how long it is good (default: ${DEFAULT-VALUE}, which is eight hours)")
    private long lifetimeSeconds;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws AdminException {
        ConnectionOptions options = Objects.requireNonNull(connection);
        if (!options.namesUser()) {
            throw new AdminException(ExitCode.USAGE, "say who you are, with --user");
        }
        ConfigurationView answer = ConfigurationApi.view(options.client()
                .post(
                        "/api/v1/service/token",
                        Documents.toCompactJson(Map.of("LifetimeSeconds", lifetimeSeconds)),
                        null));
        SavedLogins logins = SavedLogins.ofUser();
        logins.save(options.url(), String.valueOf(answer.members().get("Token")));
        Objects.requireNonNull(spec)
                .commandLine()
                .getOut()
                .println("logged in at " + options.url() + " until "
                        + answer.members().get("ExpiresAt") + "; the token is in " + logins.file());
        return ExitCode.DONE;
    }
}
