package dev.avocet.server.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes a valid {@link ServerConfig} from JSON, or says everything that is wrong with it. */
public final class ConfigurationFile {
    private ConfigurationFile() {}

    /**
     * The configuration in a file, changed as the command line asks.
     *
     * @param changes applied before the check, so that a flag can mend what the file lacks
     * @throws ConfigurationException with every problem
     */
    public static ServerConfig read(Path file, UnaryOperator<ServerConfig> changes) throws ConfigurationException {
        return parse(file.toString(), text(file), changes);
    }

    /** The defaults, changed as the command line asks; {@link ConfigurationException} with every problem. */
    public static ServerConfig defaults(UnaryOperator<ServerConfig> changes) throws ConfigurationException {
        return parse("command line", "{}", changes);
    }

    /** The configuration in a text; {@link ConfigurationException} with every problem. */
    public static ServerConfig parse(String json) throws ConfigurationException {
        return parse("configuration", json, UnaryOperator.identity());
    }

    private static ServerConfig parse(String source, String json, UnaryOperator<ServerConfig> changes)
            throws ConfigurationException {
        List<String> found = new ArrayList<>();
        Problems problems = Problems.into(found);
        ServerConfig config = SectionReader.read(ServerConfig.defaults(), JsonTree.parse(source, json), problems);
        ServerConfig changed = changes.apply(config);
        ConfigurationCheck.check(changed, problems);
        if (!found.isEmpty()) {
            throw new ConfigurationException(source, found);
        }
        return changed;
    }

    private static String text(Path file) throws ConfigurationException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(file.toString(), List.of("there is no such file"));
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(file.toString(), List.of("is not UTF-8 text"));
        } catch (IOException e) {
            throw new ConfigurationException(file.toString(), List.of("cannot be read: " + e.getMessage()));
        }
    }
}
