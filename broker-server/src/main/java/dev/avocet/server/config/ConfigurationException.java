package dev.avocet.server.config;

import java.util.List;

/** A configuration that cannot be used. Has no stack trace: the person who wrote it reads the problems. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final transient List<String> problems;

    /** All problems found in one source, such as a file name. */
    public ConfigurationException(String source, List<String> problems) {
        super(source + ": " + String.join("; ", problems), null, false, false);
        this.source = source;
        this.problems = List.copyOf(problems);
    }

    /** Where the configuration came from. */
    public String source() {
        return source;
    }

    /** One sentence each, beginning with the path of the option. */
    public List<String> problems() {
        return problems;
    }
}
