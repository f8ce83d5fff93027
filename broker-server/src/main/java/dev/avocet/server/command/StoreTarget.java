package dev.avocet.server.command;

import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.process.Home;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands for a store that no broker uses. */
final class StoreTarget {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "the broker's data directory (default: dataDirectory of the configuration, which is 'data' beside"
                            + " 'bin')")
    private @Nullable Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "the broker's configuration (default: 'conf/broker.json' beside 'bin', where it exists)")
    private @Nullable Path configFile;

    @Option(names = "--json", description = "print JSON instead of a table")
    private boolean json;

    boolean isJson() {
        return json;
    }

    ServerConfig configuration(Home home) throws ConfigurationException {
        return home.configuration(configFile, UnaryOperator.identity());
    }

    Path dataDirectory(Home home, ServerConfig config) {
        return home.dataDirectory(data, config);
    }
}
