package dev.avocet.bench.report;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A result as JSON. */
public final class ResultFile {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            // A newer harness may have more to say.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private ResultFile() {}

    public static void write(RunResult result, Path file) throws IOException {
        Files.writeString(file, toJson(result), StandardCharsets.UTF_8);
    }

    public static RunResult read(Path file) throws IOException {
        return JSON.readValue(Files.readString(file, StandardCharsets.UTF_8), RunResult.class);
    }

    /** One run as it is, several as a list. */
    public static void write(List<RunResult> results, Path file) throws IOException {
        if (results.size() == 1) {
            write(results.get(0), file);
        } else {
            Files.writeString(file, JSON.writeValueAsString(results) + "\n", StandardCharsets.UTF_8);
        }
    }

    /** Of a file with one run or with several. */
    public static List<RunResult> readAll(Path file) throws IOException {
        return JSON.readerForListOf(RunResult.class)
                .with(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
                .readValue(Files.readString(file, StandardCharsets.UTF_8));
    }

    static String toJson(RunResult result) throws IOException {
        return JSON.writeValueAsString(result) + "\n";
    }
}
