package dev.avocet.server.logging;

import dev.avocet.core.config.value.TraceComponent;
import java.util.List;

/** Which loggers speak for a component of the trace. What several names fit belongs to the longest. */
final class TracedLoggers {
    private TracedLoggers() {}

    static List<String> of(TraceComponent component) {
        return switch (component) {
            case TCP -> List.of("dev.avocet.core.endpoint", "dev.avocet.core.loop");
            case TLS -> List.of("dev.avocet.core.tls");
            case MQTT -> List.of("dev.avocet.mqtt");
            case JMS -> List.of("dev.avocet.amqp");
            case ENGINE -> List.of("dev.avocet.core");
            case STORE -> List.of("dev.avocet.core.store", "dev.avocet.core.journal", "dev.avocet.server.store");
            case SECURITY ->
                List.of("SecurityLog", "dev.avocet.core.security", "dev.avocet.core.policy", "dev.avocet.server.users");
            case ADMIN -> List.of("dev.avocet", "AdminLog");
        };
    }
}
