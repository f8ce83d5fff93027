package dev.avocet.server.rest.config;

import dev.avocet.names.NearestName;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values of the reference product that this broker does not have. Scripts that set them go on, and are told what the
 * value means here; nothing is kept of it. Immutable.
 */
final class ForeignValues {
    private static final List<String> USES = List.of("Developers", "Non-Production", "Production", "IdleStandby");

    private final Map<String, Value> values = new LinkedHashMap<>();

    /**
     * As the broker is.
     *
     * @param keepsMessages whether what is acknowledged is on the disk
     * @param fips whether only cryptography is used that FIPS 140 approves
     */
    ForeignValues(boolean keepsMessages, boolean fips) {
        values.put(
                "LicensedUsage",
                new Value(
                        "Production", USES, "this broker needs no licence to be accepted, and serves clients at once"));
        values.put(
                "EnableDiskPersistence",
                Value.truth(
                        keepsMessages,
                        "store.mode of the startup file, or --store, says whether messages are kept on the disk; it is "
                                + (keepsMessages ? "'sync' or 'os', so they are" : "'memory', so they are not")));
        values.put(
                "FIPS",
                Value.truth(
                        fips,
                        "security.fips of the startup file says whether only cryptography is used that FIPS 140"
                                + " approves; it is " + fips));
        values.put(
                "PreSharedKey",
                new Value(
                        "",
                        null,
                        "PreSharedKeys of a SecurityProfile names the uploaded file with the keys, for the endpoints of that"
                                + " profile"));
        values.put(
                "SNMPEnabled",
                Value.truth(
                        false,
                        "this broker has no SNMP agent; /metrics (Prometheus), /api/v1/monitor and $SYS topics tell the"
                                + " same"));
        values.put(
                "MQConnectivityEnabled",
                Value.truth(false, "this broker has no bridge to IBM MQ, so there is nothing to start"));
    }

    /** The value as it is here, if it is one of these. */
    Optional<Object> find(String name) {
        return Optional.ofNullable(values.get(name)).map(Value::here);
    }

    /**
     * Takes these values out of the members of a change.
     *
     * @return a warning for each
     * @throws Refusal when one is given what the reference product does not take either
     */
    List<String> takeFrom(Map<String, @Nullable Object> members) throws Refusal {
        List<String> warnings = new ArrayList<>();
        for (Map.Entry<String, Value> each : values.entrySet()) {
            String name = each.getKey();
            if (members.containsKey(name)) {
                each.getValue().check(name, members.remove(name));
                warnings.add(name + " has no effect: " + each.getValue().meaning());
            }
        }
        return warnings;
    }

    /**
     * One of them.
     *
     * @param here what it is here; does not change
     * @param words what may be given; empty for true and false, null for any text
     */
    private record Value(Object here, @Nullable List<String> words, String meaning) {
        static Value truth(boolean here, String meaning) {
            return new Value(here, List.of(), meaning);
        }

        void check(String name, @Nullable Object given) throws Refusal {
            if (words == null) {
                checkText(name, given);
                return;
            }
            boolean isFine = given == null
                    || given.equals("")
                    || (words.isEmpty() ? given instanceof Boolean : words.contains(given));
            if (!isFine) {
                String allowed = words.isEmpty() ? "true or false" : "one of " + String.join(", ", words);
                throw new Refusal(
                        Code.INVALID,
                        name + ": give " + allowed
                                + (given instanceof String text ? NearestName.advice(text, words) : ""));
            }
        }

        private static void checkText(String name, @Nullable Object given) throws Refusal {
            if (given != null && !(given instanceof String)) {
                throw new Refusal(Code.INVALID, name + ": give a text");
            }
        }
    }
}
