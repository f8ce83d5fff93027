package dev.avocet.server.monitor.table;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** An answer. To be closed when it was written, so that others can get theirs. */
public interface Report extends AutoCloseable {
    /** Writes members into the present object. */
    void writeTo(JsonGenerator json) throws IOException;

    @Override
    default void close() {}
}
