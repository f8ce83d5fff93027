package dev.avocet.admin.imaserver;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.object.FileApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code imaserver apply Certificate Type=Server|Trusted|Client …}, as MessageSight 1 has it. Files are those of this
 * machine.
 */
@Command(
        name = "apply",
        description =
                "Uploads certificates: apply Certificate \"Type=Server\" \"CertFileName=c.pem\" \"KeyFileName=k.pem\".",
        mixinStandardHelpOptions = true)
final class OldApplyCommand implements Callable<Integer> {
    private static final List<String> KNOWN = List.of(
            "CertFileName", "KeyFileName", "TrustedCertificate", "CertificateName", "SecurityProfileName", "Overwrite");

    @Mixin
    private @Nullable ConnectionOptions connection;

    @Parameters(index = "0", paramLabel = "Certificate", description = "the word Certificate")
    private String what = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "Property=value", description = "Type, and the files")
    private List<String> words = List.of();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws AdminException {
        if (!what.equals("Certificate")) {
            throw new AdminException(ExitCode.USAGE, "only a Certificate can be applied here, not '" + what + "'");
        }
        OldWords given = OldWords.of(words, "Type", KNOWN);
        AdminClient client = Objects.requireNonNull(connection).client();
        switch (given.name()) {
            case "Server" -> {
                upload(client, required(given, "CertFileName"));
                upload(client, required(given, "KeyFileName"));
            }
            case "Trusted" -> add(client, given, "TrustedCertificate", "TrustedCertificate");
            case "Client" -> add(client, given, "ClientCertificate", "CertificateName");
            default ->
                throw new AdminException(
                        ExitCode.USAGE, "Type=" + given.name() + " is not one of Server, Trusted, Client");
        }
        return ExitCode.DONE;
    }

    private void add(AdminClient client, OldWords given, String type, String property) throws AdminException {
        Path file = required(given, property);
        String profile = given.text("SecurityProfileName", "");
        if (profile.isEmpty()) {
            throw new AdminException(ExitCode.USAGE, "say for whom, with \"SecurityProfileName=…\"");
        }
        upload(client, file);
        String name = FileApi.nameOf(file);
        new ConfigurationApi(client).change(Map.of(type, Map.of(name, Map.of("SecurityProfileName", profile))), null);
        println(type + " " + name + " applied");
    }

    private void upload(AdminClient client, Path file) throws AdminException {
        String name = FileApi.nameOf(file);
        new FileApi(client).put(file, name);
        println("file " + name + " uploaded");
    }

    private static Path required(OldWords given, String property) throws AdminException {
        String file = given.text(property, "");
        if (file.isEmpty()) {
            throw new AdminException(ExitCode.USAGE, "say which file, with \"" + property + "=…\"");
        }
        return Path.of(file);
    }

    private void println(String line) {
        Objects.requireNonNull(spec).commandLine().getOut().println(line);
    }
}
