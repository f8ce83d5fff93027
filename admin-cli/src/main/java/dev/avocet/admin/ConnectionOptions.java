package dev.avocet.admin;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which broker is asked, and by whom. A password is never an argument, because everybody on a machine can see those. */
final class ConnectionOptions {
    private static final String DEFAULT_URL = "http://127.0.0.1:9089";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = {"--url", "--server"},
            paramLabel = "URL",
            defaultValue = "${env:BROKER_ADMIN_URL:-" + DEFAULT_URL + "}",
            description = "the admin end point of the broker (default: BROKER_ADMIN_URL, or " + DEFAULT_URL + ")")
    private URI url = URI.create(DEFAULT_URL);

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "${env:BROKER_ADMIN_USER:-}",
            description = "who asks (default: BROKER_ADMIN_USER); the password is that of --password-file or of"
                    + " BROKER_ADMIN_PASSWORD, or is asked for")
    private String user = "";

    @Option(names = "--password-file", paramLabel = "FILE", description = "the file whose first line is the password")
    private @Nullable Path passwordFile;

    /** The broker that is meant; may ask for the password. */
    AdminClient client() throws AdminException {
        return new AdminClient(url, credentials());
    }

    private @Nullable Credentials credentials() throws AdminException {
        if (user.isEmpty()) {
            if (passwordFile != null) {
                throw new AdminException(ExitCode.USAGE, "--password-file needs --user beside it");
            }
            return null;
        }
        Credentials credentials = new Credentials(user, password());
        if ("http".equals(url.getScheme()) && !isLoopback(url.getHost())) {
            err().println("broker-admin: caution: the password goes to " + url + " in the clear; use https");
        }
        return credentials;
    }

    private String password() throws AdminException {
        if (passwordFile != null) {
            return PasswordFile.read(passwordFile);
        }
        String fromEnvironment = System.getenv("BROKER_ADMIN_PASSWORD");
        if (fromEnvironment != null) {
            return fromEnvironment;
        }
        String typed = Terminal.askPassword(user);
        if (typed == null) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "there is no terminal to ask for the password of " + user
                            + "; give --password-file or set BROKER_ADMIN_PASSWORD");
        }
        return typed;
    }

    private static boolean isLoopback(@Nullable String host) {
        return host == null || host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
