package dev.avocet.server.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.server.store.StoreReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints what was found in a store. */
final class StoreReportWriter {
    private StoreReportWriter() {}

    static void json(StoreReport report, PrintWriter out) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            write(report.figures(), json);
            json.writeArrayFieldStart("segmentList");
            for (Map<String, Object> segment : report.segments()) {
                json.writeStartObject();
                write(segment, json);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("damages");
            for (String damage : report.damages()) {
                json.writeString(damage);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("consequences");
            for (String consequence : report.consequences()) {
                json.writeString(consequence);
            }
            json.writeEndArray();
            json.writeBooleanField("repaired", report.repaired());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        out.println(text);
    }

    static void table(StoreReport report, PrintWriter out) {
        int width = report.figures().keySet().stream()
                .mapToInt(name -> words(name).length())
                .max()
                .orElse(0);
        report.figures().forEach((name, value) -> out.println(left(words(name), width) + "  " + value));
        if (!report.segments().isEmpty()) {
            out.println();
            segments(report, out);
        }
        if (!report.damages().isEmpty()) {
            out.println();
            String what = report.repaired() ? "taken away: " : "damaged: ";
            report.damages().forEach(damage -> out.println(what + damage));
        }
        report.consequences().forEach(out::println);
    }

    private static void segments(StoreReport report, PrintWriter out) {
        List<String> columns = report.segmentColumns();
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(StoreReportWriter::words).toList());
        for (Map<String, Object> segment : report.segments()) {
            rows.add(columns.stream()
                    .map(column -> String.valueOf(segment.getOrDefault(column, "")))
                    .toList());
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(left(row.get(i), width(rows, i))).append("  ");
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static void write(Map<String, Object> figures, JsonGenerator json) throws IOException {
        for (Map.Entry<String, Object> figure : figures.entrySet()) {
            if (figure.getValue() instanceof Number number) {
                json.writeNumberField(figure.getKey(), number.longValue());
            } else {
                json.writeStringField(figure.getKey(), figure.getValue().toString());
            }
        }
    }

    /** {@code liveReferences} as {@code live references}. */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static String left(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
