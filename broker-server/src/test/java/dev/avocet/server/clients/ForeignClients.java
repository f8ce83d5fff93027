package dev.avocet.server.clients;

import dev.avocet.testkit.InstalledPrograms;
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
