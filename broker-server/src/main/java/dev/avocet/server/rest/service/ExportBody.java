package dev.avocet.server.rest.service;

import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request says that writes or reads a file which a password seals. */
record ExportBody(Map<String, @Nullable Object> members) {
    static final String FILE_NAME = "FileName";
    static final String PASSWORD = "Password";

    /** @param known every member that the request may have */
    static ExportBody of(Context context, Set<String> known) throws Refusal {
        Map<String, @Nullable Object> members = RequestBody.object(context);
        for (String name : members.keySet()) {
            if (!known.contains(name)) {
                throw new Refusal(
                        Code.INVALID,
                        name + ": give "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
        return new ExportBody(members);
    }

    /** The name of the file; empty when the request has none. */
    String fileName() throws Refusal {
        return text(FILE_NAME);
    }

    /** @param broker whose cryptography it is; null while it starts */
    String password(@Nullable RunningBroker broker) throws Refusal {
        if (broker != null && broker.fips()) {
            throw new Refusal(
                    Code.INVALID,
                    "exports are sealed with Argon2id, which FIPS 140 does not approve, and security.fips of the startup"
                            + " file is on; copy the data directory of a stopped broker");
        }
        String password = text(PASSWORD);
        if (password.isEmpty()) {
            throw new Refusal(Code.INVALID, PASSWORD + ": give the one that seals the file");
        }
        return password;
    }

    String text(String name) throws Refusal {
        Object value = members.get(name);
        if (value != null && !(value instanceof String)) {
            throw new Refusal(Code.INVALID, name + ": give text in quotes");
        }
        return value == null ? "" : (String) value;
    }

    boolean flag(String name, boolean otherwise) throws Refusal {
        Object value = members.get(name);
        if (value != null && !(value instanceof Boolean)) {
            throw new Refusal(Code.INVALID, name + ": give true or false");
        }
        return value == null ? otherwise : (Boolean) value;
    }
}
