package dev.avocet.bench.mqtt.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads JSON, and YAML from files whose names say so; one object or a list of them. Stateless. */
final class Documents {
    /** What else the reference harness has in its files, and what to do instead. */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("messageDirPath", "all publishers send the same: give --messages"),
            Map.entry("lingerTimeSecs", "give --storm-every, without a list"),
            Map.entry("lingerMsgsCount", "give --storm-every, without a list"),
            Map.entry("reconnectDelayUSecs", "a client that is lost stays lost, and the run fails"),
            Map.entry("connectionTimeoutSecs", "a run waits a minute for its clients to connect"),
            Map.entry("pingTimeoutSecs", "the answers to pings are not waited for"),
            Map.entry("topicAliasMaxOut", "publishers use no topic aliases"));

    private final String option;

    /** @param option by which files are given, for what is said of them */
    Documents(String option) {
        this.option = option;
    }

    <T> List<T> read(Path file, Class<T> type) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            return reader(file).forType(type).<T>readValues(bytes).readAll();
        } catch (JsonMappingException unfit) {
            throw new IllegalArgumentException(option + ": " + file + ": " + where(unfit) + why(unfit), unfit);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(option + ": " + file + ": " + malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(option + ": " + file + " cannot be read", unreadable);
        }
    }

    private static ObjectReader reader(Path file) {
        String name = file.toString();
        boolean isYaml = name.endsWith(".yaml") || name.endsWith(".yml");
        return (isYaml ? YAMLMapper.builder() : JsonMapper.builder())
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build()
                .reader();
    }

    private static String where(JsonMappingException unfit) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : unfit.getPath()) {
            boolean isField = step.getFieldName() != null;
            path.append(isField && path.length() > 0 ? "." : "")
                    .append(isField ? step.getFieldName() : "[" + step.getIndex() + "]");
        }
        String line =
                unfit.getLocation() == null ? "" : "line " + unfit.getLocation().getLineNr() + ": ";
        return line + path + (path.length() > 0 ? ": " : "");
    }

    private static String why(JsonMappingException unfit) {
        if (unfit instanceof UnrecognizedPropertyException unknown) {
            return ELSEWHERE.getOrDefault(
                    unknown.getPropertyName(),
                    "no such field; there are "
                            + String.join(
                                    ", ",
                                    unknown.getKnownPropertyIds().stream()
                                            .map(String::valueOf)
                                            .sorted()
                                            .toList()));
        }
        Throwable cause = unfit.getCause();
        return cause instanceof IllegalArgumentException ? cause.getMessage() : unfit.getOriginalMessage();
    }
}
