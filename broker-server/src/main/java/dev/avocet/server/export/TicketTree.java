package dev.avocet.server.export;

import dev.avocet.core.tls.ticket.AgedKeys;
import dev.avocet.core.tls.ticket.TicketKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The keys of session tickets as JSON, for the other node of a pair. */
final class TicketTree {
    private static final String MADE = "Made";
    private static final String KEYS = "Keys";
    /** A key has three of them. */
    private static final int PART_BYTES = 16;

    private static final int PARTS = 3;

    private TicketTree() {}

    static Map<String, Object> of(Map<String, AgedKeys> tickets) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tickets.forEach((endpoint, aged) -> tree.put(
                endpoint,
                Map.of(
                        MADE,
                        aged.madeAtMs(),
                        KEYS,
                        aged.keys().stream().map(TicketTree::encoded).toList())));
        return tree;
    }

    /**
     * What is not as this build writes it is left out, as a node that goes without makes keys of its own: its clients
     * spend a full handshake, and the rest of the configuration counts.
     */
    static Map<String, AgedKeys> read(@Nullable Object tree) {
        Map<String, AgedKeys> tickets = new TreeMap<>();
        if (tree instanceof Map<?, ?> members) {
            members.forEach((endpoint, keys) -> {
                AgedKeys aged = aged(keys);
                if (aged != null) {
                    tickets.put(String.valueOf(endpoint), aged);
                }
            });
        }
        return tickets;
    }

    private static @Nullable AgedKeys aged(@Nullable Object tree) {
        if (!(tree instanceof Map<?, ?> members)
                || !(members.get(MADE) instanceof Number made)
                || !(members.get(KEYS) instanceof List<?> texts)) {
            return null;
        }
        try {
            List<TicketKey> keys = new ArrayList<>();
            for (Object text : texts) {
                keys.add(decoded(String.valueOf(text)));
            }
            return new AgedKeys(made.longValue(), keys);
        } catch (IllegalArgumentException unreadable) {
            return null;
        }
    }

    private static String encoded(TicketKey key) {
        byte[] all = new byte[PARTS * PART_BYTES];
        System.arraycopy(key.name(), 0, all, 0, PART_BYTES);
        System.arraycopy(key.authentication(), 0, all, PART_BYTES, PART_BYTES);
        System.arraycopy(key.encryption(), 0, all, 2 * PART_BYTES, PART_BYTES);
        return Base64.getEncoder().encodeToString(all);
    }

    private static TicketKey decoded(String text) {
        byte[] all = Base64.getDecoder().decode(text);
        if (all.length != PARTS * PART_BYTES) {
            throw new IllegalArgumentException("a key of session tickets has " + PARTS * PART_BYTES + " bytes");
        }
        return new TicketKey(
                Arrays.copyOf(all, PART_BYTES),
                Arrays.copyOfRange(all, PART_BYTES, 2 * PART_BYTES),
                Arrays.copyOfRange(all, 2 * PART_BYTES, all.length));
    }
}
