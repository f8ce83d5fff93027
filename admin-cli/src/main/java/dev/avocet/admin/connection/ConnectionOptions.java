package dev.avocet.admin.connection;

import dev.avocet.admin.input.PasswordFile;
import dev.avocet.admin.input.Terminal;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Which broker is asked, and by whom. A password is never an argument, because everybody on a machine can see those.
 */
public final class ConnectionOptions {
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

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the certificate of the broker, or of the authority that vouches for it")
    private @Nullable Path authorities;

    @Option(
            names = "--insecure",
            description = "accept any certificate; every machine on the way can read and change all")
    private boolean insecure;

    @Option(names = "--cert", paramLabel = "FILE", description = "PEM file with the certificate to show to the broker")
    private @Nullable Path certificate;

    @Option(names = "--cert-key", paramLabel = "FILE", description = "PEM file with the key of --cert, not encrypted")
    private @Nullable Path key;

    @Option(names = "--password-file", paramLabel = "FILE", description = "the file whose first line is the password")
    private @Nullable Path passwordFile;

    /** The broker that is meant; may ask for the password. */
    public AdminClient client() throws AdminException {
        return new AdminClient(url, credentials(), tls());
    }

    public URI url() {
        return url;
    }

    public boolean namesUser() {
        return !user.isEmpty();
    }

    private ClientTls tls() throws AdminException {
        if ((certificate == null) != (key == null)) {
            throw new AdminException(ExitCode.USAGE, "--cert and --cert-key belong together");
        }
        if (insecure) {
            err().println("broker-admin: caution: --insecure accepts any certificate at " + url + "; use --ca");
        }
        return new ClientTls(authorities, insecure, certificate, key);
    }

    private @Nullable Credentials credentials() throws AdminException {
        if (user.isEmpty()) {
            if (passwordFile != null) {
                throw new AdminException(ExitCode.USAGE, "--password-file needs --user beside it");
            }
            String token = SavedLogins.ofUser().tokenFor(url);
            return token == null ? null : Credentials.ofToken(token);
        }
        Credentials credentials = Credentials.of(user, password());
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
