package dev.avocet.server.rest.service;

import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStore.Step;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends maintenance mode, which is a value of the configuration that only this sets; so it outlives a
 * restart.
 */
public final class MaintenanceMode {
    /** What a request calls it. */
    static final String MEMBER = "Maintenance";

    private static final String START = "start";
    private static final List<String> WORDS = List.of(START, "stop");
    /** For the description of a request. */
    static final Map<String, Object> SCHEMA = Map.of("type", "string", "enum", WORDS);

    private final ConfigurationStore objects;
    private final AuditLog audit;

    public MaintenanceMode(ConfigurationStore objects, AuditLog audit) {
        this.objects = objects;
        this.audit = audit;
    }

    /** Whether a request wants the mode to begin. */
    static boolean begins(@Nullable Object word) throws Refusal {
        if (!(word instanceof String text) || !WORDS.contains(text)) {
            throw new Refusal(Code.INVALID, MEMBER + ": give \"start\" or \"stop\"");
        }
        return text.equals(START);
    }

    /**
     * Returns when the endpoints are closed and the connections with them, or when the endpoints listen again.
     *
     * @return whether that was not so already
     */
    boolean set(boolean begins, Administrator who) throws ConfigurationRefusedException, ConfigurationStoreException {
        Step step = objects.make(
                List.of(new ConfigurationChange.Put(
                        ObjectTypes.of(Singletons.class).keyOf(""), Map.of("AdminMode", begins ? 1L : 0L), true)),
                ConfigurationStore.ANY_VERSION,
                who.origin("maintenance " + (begins ? START : "stop")));
        audit.changed(who, step);
        return step.before().version() != step.after().version();
    }
}
