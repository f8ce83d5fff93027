package dev.avocet.bench.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.avocet.names.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The workloads of a tool: files {@code NAME.yaml} in a folder of its resources, listed in that folder's file
 * {@code index}, and files of the user.
 */
public final class WorkloadLibrary {
    private final Class<?> owner;
    private final String folder;

    /**
     * @param owner a class of the module that has the files
     * @param folder where they are, such as {@code /dev/avocet/bench/workloads}
     */
    public WorkloadLibrary(Class<?> owner, String folder) {
        this.owner = owner;
        this.folder = folder;
    }

    /** In the order of the index. */
    public List<String> names() {
        return resource("index").lines().filter(line -> !line.isBlank()).toList();
    }

    /**
     * What a list tells of one of the {@link #names}: without the parser where the first lines are plain, as that takes
     * longer to load than everything else that a list does.
     */
    public WorkloadSummary summary(String name) {
        WorkloadSummary plain = WorkloadSummary.ofPlainLines(resource(name + ".yaml"));
        if (plain != null) {
            return plain;
        }
        Workload workload = named(name);
        return new WorkloadSummary(workload.what(), workload.others());
    }

    /** Whether this is no name but the path of a file of the user. */
    public static boolean isFile(String name) {
        return name.endsWith(".yaml");
    }

    /**
     * @param name as {@link #names} has it, or another name of that workload, in whatever case; or the path of a file
     * that ends in {@code .yaml}
     */
    public Workload find(String name) {
        if (isFile(name)) {
            return parse(name, userFile(Path.of(name)));
        }
        String wanted = name.toUpperCase(Locale.ROOT);
        if (names().contains(wanted)) {
            return named(wanted);
        }
        return names().stream()
                .map(this::named)
                .filter(workload -> workload.others().contains(wanted))
                .findFirst()
                .orElseThrow(() -> new WorkloadException("there is no workload " + name
                        + " (the command list has all, and a file that ends in .yaml may be given)"
                        + NearestName.advice(name, allNames())));
    }

    private List<String> allNames() {
        List<String> all = new ArrayList<>(names());
        names().forEach(name -> all.addAll(named(name).others()));
        return all;
    }

    private Workload named(String name) {
        return parse(name, resource(name + ".yaml"));
    }

    /**
     * The options of a workload at another size, as arguments.
     *
     * @param scale what its scaled options are multiplied by; a count stays at least 1
     * @throws WorkloadException unless it is above 0
     */
    public static List<String> arguments(Workload workload, double scale) {
        if (!(scale > 0) || scale == Double.POSITIVE_INFINITY) {
            throw new WorkloadException("--scale is a number above 0, such as 0.01, not " + scale);
        }
        List<String> scaled = workload.scaled() == null ? List.of() : workload.scaled();
        Map<String, String> options = new LinkedHashMap<>(workload.options());
        for (String option : scaled) {
            options.computeIfPresent(option, (name, value) -> times(name, value, scale));
        }
        List<String> arguments = new ArrayList<>();
        options.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return arguments;
    }

    private static String times(String name, String value, double scale) {
        try {
            double product = Double.parseDouble(value) * scale;
            return name.endsWith("rate") ? String.valueOf(product) : String.valueOf(Math.max(1, Math.round(product)));
        } catch (NumberFormatException notANumber) {
            return value;
        }
    }

    private static Workload parse(String name, String text) {
        try {
            String plainName = Path.of(name).getFileName().toString().replaceFirst("\\.yaml$", "");
            return Parser.YAML.readValue(text, Workload.class).named(plainName);
        } catch (JsonProcessingException broken) {
            throw new WorkloadException("workload " + name + " cannot be read: " + broken.getOriginalMessage());
        }
    }

    /** Loaded with the first file that is read. */
    private static final class Parser {
        static final ObjectMapper YAML = YAMLMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .build();

        private Parser() {}
    }

    private static String userFile(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new WorkloadException("workload file " + file + " cannot be read");
        }
    }

    private String resource(String file) {
        try (InputStream in = owner.getResourceAsStream(folder + "/" + file)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + folder + "/" + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
