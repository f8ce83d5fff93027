package dev.avocet.mqtt.clients;

import dev.avocet.testkit.InstalledPrograms;
import java.util.List;

/** The clients that are not Java. */
final class ForeignClients {
    private ForeignClients() {}

    /** The command that runs the Node client. */
    static List<String> node() {
        return List.of(InstalledPrograms.onPath("node"), InstalledPrograms.source("node/client.cjs"));
    }

    /** Where Node finds its packages. */
    static String nodePath() {
        return InstalledPrograms.installed("node/node_modules");
    }

    /** The command that runs the Python client. */
    static List<String> python() {
        return List.of(InstalledPrograms.installed("python/bin/python"), InstalledPrograms.source("python/client.py"));
    }
}
