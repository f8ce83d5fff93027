package dev.avocet.server.process;

import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where the broker is installed, and with that where its configuration and its data are unless options say otherwise.
 *
 * @param path the folder that holds {@code bin}
 */
public record Home(Path path) {
    /**
     * The file, or the usual one, or the defaults when there is none, with the command line's changes; checked as a
     * whole.
     */
    public ServerConfig configuration(@Nullable Path file, UnaryOperator<ServerConfig> changes)
            throws ConfigurationException {
        if (file != null) {
            return ConfigurationFile.read(file, changes);
        }
        Path usual = path.resolve("conf").resolve("broker.json");
        return Files.exists(usual) ? ConfigurationFile.read(usual, changes) : ConfigurationFile.defaults(changes);
    }

    /** The option is relative to where the command runs, the configuration to where the broker is installed. */
    public Path dataDirectory(@Nullable Path option, ServerConfig config) {
        Path data = option != null ? option : path.resolve(config.dataDirectory());
        return data.toAbsolutePath().normalize();
    }
}
