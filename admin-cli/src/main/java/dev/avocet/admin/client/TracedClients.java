package dev.avocet.admin.client;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.StaleException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts clients among those whose packets a broker traces, and takes them out again; what else is traced stays. */
final class TracedClients {
    /** Every packet. */
    static final int EVERY_PACKET = 8;

    private static final String CONNECTION = "TraceConnection";
    private static final String SELECTED = "TraceSelected";
    private static final String CLIENT = "clientid=";
    private static final char FIRST_TRACED = '7';
    private static final int ATTEMPTS = 5;

    private final ConfigurationApi api;

    TracedClients(ConfigurationApi api) {
        this.api = api;
    }

    /**
     * Traces a client too.
     *
     * @param level 7 to 9, of all who are traced by name; 0 for what it is already, or else {@link #EVERY_PACKET}
     */
    void add(String clientId, int level) throws AdminException {
        String wanted = term(clientId);
        change(view -> {
            List<String> terms = terms(view);
            for (String term : terms) {
                if (!isClient(term)) {
                    throw new AdminException(
                            ExitCode.CONFLICT,
                            CONNECTION + " is '" + text(view, CONNECTION)
                                    + "': of several kinds all must fit, so another client would change who that is."
                                    + " End it first: broker-admin server update --trace-connection ''");
                }
            }
            if (!terms.contains(wanted)) {
                terms.add(wanted);
            }
            return Map.of(CONNECTION, String.join(",", terms), SELECTED, selected(text(view, SELECTED), level));
        });
    }

    /** Traces a client no more; with the last one the level goes. False when it was not traced. */
    boolean remove(String clientId) throws AdminException {
        String gone = term(clientId);
        return change(view -> {
            List<String> terms = terms(view);
            if (!terms.remove(gone)) {
                return Map.of();
            }
            return terms.isEmpty() ? Map.of(CONNECTION, "", SELECTED, "") : Map.of(CONNECTION, String.join(",", terms));
        });
    }

    private interface Change {
        /** Values that become others; none for no change. */
        Map<String, String> of(ConfigurationView view) throws AdminException;
    }

    private boolean change(Change change) throws AdminException {
        for (int attempt = 1; ; attempt++) {
            ConfigurationView view = api.all();
            Map<String, String> values = change.of(view);
            try {
                if (!values.isEmpty()) {
                    api.change(values, view.version());
                }
                return !values.isEmpty();
            } catch (StaleException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static String selected(String now, int level) {
        if (level != 0) {
            return Integer.toString(level);
        }
        return now.isEmpty() || now.charAt(0) < FIRST_TRACED ? Integer.toString(EVERY_PACKET) : now;
    }

    private static String term(String clientId) throws AdminException {
        if (clientId.isEmpty() || clientId.indexOf(',') >= 0 || !clientId.equals(clientId.strip())) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "'" + clientId + "' cannot be traced by name: it is empty, has a comma, or a blank at an end;"
                            + " give its beginning with * behind it");
        }
        return CLIENT + clientId;
    }

    private static List<String> terms(ConfigurationView view) {
        List<String> terms = new ArrayList<>();
        Arrays.stream(text(view, CONNECTION).split(","))
                .map(String::strip)
                .filter(term -> !term.isEmpty())
                .map(term -> isClient(term)
                        ? CLIENT + term.substring(term.indexOf('=') + 1).strip()
                        : term)
                .forEach(terms::add);
        return terms;
    }

    private static boolean isClient(String term) {
        int equals = term.indexOf('=');
        return equals > 0 && (term.substring(0, equals).strip().toLowerCase(Locale.ROOT) + "=").equals(CLIENT);
    }

    private static String text(ConfigurationView view, String name) {
        return view.members().get(name) instanceof String text ? text : "";
    }
}
