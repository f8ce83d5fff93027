package dev.avocet.bench.agent;

import java.io.File;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a controller and its agents know each other. */
public final class CredentialOptions {
    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "the secret of the controller and its agents; the same on all machines")
    private @Nullable Path secretFile;

    @Option(
            names = "--agent-cert",
            paramLabel = "FILE",
            description =
                    "own certificate (PEM): the controller and its agents speak TLS, and each asks for the other's")
    private @Nullable File certificate;

    @Option(names = "--agent-key", paramLabel = "FILE", description = "its key (PEM)")
    private @Nullable File key;

    @Option(names = "--agent-trust", paramLabel = "FILE", description = "who signs the other side's certificate (PEM)")
    private @Nullable File trust;

    Credentials credentials() {
        if (certificate == null && key == null && trust == null) {
            if (secretFile == null) {
                throw new IllegalArgumentException(
                        "a controller and its agents need --secret-file, or --agent-cert, --agent-key and --agent-trust");
            }
            return Credentials.of(Secret.read(secretFile));
        }
        if (certificate == null || key == null || trust == null) {
            throw new IllegalArgumentException("--agent-cert, --agent-key and --agent-trust belong together");
        }
        Secret secret = secretFile == null ? Secret.none() : Secret.read(secretFile);
        return Credentials.withTls(secret, certificate, key, trust);
    }
}
