package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes docs/configuration.md from the configuration records. */
final class ConfigurationPage {
    private final StringBuilder page = new StringBuilder();

    private ConfigurationPage() {}

    static String render() {
        ConfigurationPage writer = new ConfigurationPage();
        writer.page.append("""
                # Configuration

                This page is generated from the records in `dev.avocet.server.config`; to change it, change them and run
                `mvn -pl broker-server -am test -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false -Davocet.writeDocs=true`.

                The broker reads one JSON file, `conf/broker.json` or the one that `--config` names. Every key may be left out. The
                file is checked as a whole: an unknown key, a value of the wrong kind or out of its range stops the start with exit
                code 2 and a list of all problems, each with the path of the key, such as `endpoints[1].port`. Options on the command
                line win over the file; see [operations](operations.md).
                """);
        writer.section("The broker", "", ServerConfig.defaults());
        return writer.page.toString();
    }

    private void section(String title, String path, Record defaults) {
        page.append("\n## ")
                .append(title)
                .append("\n\n| key | kind | default | what it does |\n| --- | --- | --- | --- |\n");
        List<RecordComponent> sections = new ArrayList<>();
        for (RecordComponent option : defaults.getClass().getRecordComponents()) {
            row(option, defaults);
            if (recordIn(option) != null) {
                sections.add(option);
            }
        }
        for (RecordComponent option : sections) {
            String name = path + option.getName() + (option.getType() == List.class ? "[]" : "");
            section("`" + name + "`", name + ".", Reflected.defaultsOf(recordIn(option)));
        }
    }

    private void row(RecordComponent option, Record defaults) {
        page.append("| `")
                .append(option.getName())
                .append("` | ")
                .append(kind(option))
                .append(" | ")
                .append(shownDefault(option, Reflected.valueOf(option, defaults)))
                .append(" | ")
                .append(option.getAnnotation(Doc.class).value())
                .append(" |\n");
    }

    private static String kind(RecordComponent option) {
        Class<?> type = option.getType();
        if (type == List.class) {
            return "list of " + kindOfElements(option);
        }
        if (type.isRecord()) {
            return "object";
        }
        if (type.isEnum()) {
            return choices(type);
        }
        return type == String.class || type == boolean.class
                ? (type == String.class ? "text" : "boolean")
                : number(option);
    }

    private static String kindOfElements(RecordComponent option) {
        if (recordIn(option) != null) {
            return "objects";
        }
        return elementOf(option) == String.class ? "texts" : choices(elementOf(option));
    }

    private static String number(RecordComponent option) {
        Range range = option.getAnnotation(Range.class);
        return range.max() == Long.MAX_VALUE ? range.min() + " or more" : range.min() + "-" + range.max();
    }

    private static String choices(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(choice -> "`" + choice + "`")
                .collect(Collectors.joining(", "));
    }

    private static String shownDefault(RecordComponent option, @Nullable Object value) {
        if (recordIn(option) != null) {
            return value instanceof List<?> list && list.isEmpty() ? "none" : "see below";
        }
        if (value instanceof List<?> list && !list.isEmpty()) {
            return list.stream().map(element -> "`" + element + "`").collect(Collectors.joining(", "));
        }
        return value == null || value.equals("") || value.equals(List.of()) ? "none" : "`" + value + "`";
    }

    private static @Nullable Class<?> recordIn(RecordComponent option) {
        Class<?> type = option.getType() == List.class ? elementOf(option) : option.getType();
        return type.isRecord() ? type : null;
    }

    private static Class<?> elementOf(RecordComponent option) {
        return (Class<?>) ((ParameterizedType) option.getGenericType()).getActualTypeArguments()[0];
    }
}
