package dev.avocet.bench.part;

import java.util.List;
import java.util.ServiceLoader;

/** A harness, found by {@link ServiceLoader}. */
public interface Tool {
    /** Such as {@code mqttbench}. */
    String name();

    /** @param option with its dashes */
    boolean knows(String option);

    /**
     * Reads the options of a run.
     *
     * @throws IllegalArgumentException with a message for the user if they make no run
     */
    Work read(List<String> options);

    /** @throws IllegalArgumentException if its jar is not on the class path */
    static Tool named(String name) {
        return ServiceLoader.load(Tool.class, Tool.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        name + " is not here: its jar is missing from the class path; the launchers in bin/ have it"));
    }
}
