package dev.avocet.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.server.store.StoreJson;
import java.io.IOException;

/** Writes how a process is. Names stay as they are: scripts read them. */
public final class HealthJson {
    private HealthJson() {}

    /** Writes members into the present object. */
    public static void write(Health health, JsonGenerator json) throws IOException {
        json.writeStringField("status", health.status().toString());
        json.writeStringField("version", health.version());
        json.writeNumberField("uptimeMs", health.uptimeMs());
        json.writeArrayFieldStart("endpoints");
        for (String endpoint : health.endpoints()) {
            json.writeString(endpoint);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("store");
        StoreJson.write(health.store(), json);
        json.writeEndObject();
        PairHealth pair = health.ha();
        if (pair != null) {
            json.writeObjectFieldStart("ha");
            write(pair, json);
            json.writeEndObject();
        }
    }

    private static void write(PairHealth pair, JsonGenerator json) throws IOException {
        json.writeStringField("role", pair.role());
        json.writeNumberField("epoch", pair.epoch());
        json.writeStringField("node", pair.node());
        json.writeStringField("leader", pair.leader());
        json.writeArrayFieldStart("inSync");
        for (String node : pair.inSync()) {
            json.writeString(node);
        }
        json.writeEndArray();
        json.writeNumberField("lagBytes", pair.lagBytes());
        json.writeNumberField("lagRecords", pair.lagRecords());
        json.writeNumberField("lagMs", pair.lagMs());
        json.writeBooleanField("paused", pair.paused());
        json.writeBooleanField("diskFull", pair.diskFull());
        json.writeStringField("whyNotInSync", pair.whyNotInSync());
    }
}
