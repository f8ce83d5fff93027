package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.print.OutputOption;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code broker-admin oauth-profile} can do beside the verbs that every object has. */
@Command
public final class OAuthCommands {
    @Spec
    private @Nullable CommandSpec spec;

    @Command(
            name = "test",
            description = {
                "Has the broker try the OAuth server of a profile: whether it can be asked, and with --token-file whether"
                        + " a token is good and who its user is. Changes nothing."
            },
            mixinStandardHelpOptions = true,
            sortOptions = false,
            usageHelpAutoWidth = true)
    int test(
            @Parameters(paramLabel = "NAME", description = "the OAuthProfile") String name,
            @Option(
                            names = "--token-file",
                            paramLabel = "FILE",
                            description = "the file whose first line is the token that is tried")
                    @Nullable Path tokenFile,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOption output)
            throws AdminException {
        return TokenTesting.run("oauth/test", name, tokenFile, connection, output, out());
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
