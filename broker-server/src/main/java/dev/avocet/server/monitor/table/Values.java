package dev.avocet.server.monitor.table;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** Writes what there is to tell about one thing. */
final class Values {
    private Values() {}

    static <R> void write(R row, List<Column<R>> columns, JsonGenerator json) throws IOException {
        for (Column<R> column : columns) {
            json.writeFieldName(column.name());
            Object value = column.value().apply(row);
            if (value instanceof Long number) {
                json.writeNumber(number);
            } else if (value instanceof Double number) {
                json.writeNumber(number);
            } else if (value instanceof Boolean truth) {
                json.writeBoolean(truth);
            } else {
                json.writeString(value.toString());
            }
        }
    }
}
