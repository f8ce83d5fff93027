package dev.avocet.server.clients;

import dev.avocet.testkit.InstalledPrograms;
import java.nio.file.Path;
import java.util.List;

/** The clients that are not Java. */
final class ForeignClients {
    private ForeignClients() {}

    /** The command that runs rhea. */
    static List<String> rhea() {
        return List.of(InstalledPrograms.onPath("node"), InstalledPrograms.source("amqp-node/client.cjs"));
    }

    /** Where Node finds its packages. */
    static String rheaPackages() {
        return InstalledPrograms.installed("amqp-node/node_modules");
    }

    /** The commands that run the examples of the page about addresses, by the language of their block there. */
    static List<String> pageExample(String language) {
        return switch (language) {
            case "python" -> List.of(proton().get(0), InstalledPrograms.source("amqp-python/addresses.py"));
            case "js" -> List.of(rhea().get(0), InstalledPrograms.source("amqp-node/addresses.cjs"));
            default -> List.of(InstalledPrograms.installed("amqp-go/addresses"));
        };
    }

    /** The source of such an example. */
    static Path pageExampleSource(String language) {
        return Path.of(InstalledPrograms.source(
                switch (language) {
                    case "python" -> "amqp-python/addresses.py";
                    case "js" -> "amqp-node/addresses.cjs";
                    default -> "amqp-go/addresses/main.go";
                }));
    }

    /** The command that runs Qpid Proton for Python. */
    static List<String> proton() {
        return List.of(
                InstalledPrograms.installed("amqp-python/bin/python"),
                InstalledPrograms.source("amqp-python/client.py"));
    }

    /** The command that runs go-amqp. */
    static List<String> goAmqp() {
        return List.of(InstalledPrograms.installed("amqp-go/client"));
    }
}
