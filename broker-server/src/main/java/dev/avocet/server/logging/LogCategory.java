package dev.avocet.server.logging;

import dev.avocet.core.config.object.server.LogDetail;
import dev.avocet.core.config.object.server.Singletons;
import java.util.List;
import java.util.function.Function;

/** A part of the log whose level is a property of its own. What several names fit belongs to the longest. */
enum LogCategory {
    /** Everything that is nothing else. */
    SERVER(Singletons::logLevel, "dev.avocet"),
    /** Connections that come and go, and what clients do wrong. */
    CONNECTION(Singletons::connectionLog, "dev.avocet.core.session.ConnectionLog", "dev.avocet.core.endpoint"),
    /** Who may not do what, logins, users and certificates. */
    SECURITY(
            Singletons::securityLog,
            "SecurityLog",
            "dev.avocet.core.security",
            "dev.avocet.core.tls",
            "dev.avocet.server.directory",
            "dev.avocet.server.users",
            "dev.avocet.server.broker.BrokerSecurity",
            "dev.avocet.server.broker.SecureEndpoint",
            "dev.avocet.server.rest.login.AdminLogin"),
    /** What administrators do. */
    ADMIN(Singletons::adminLog, "AdminLog");

    @SuppressWarnings("ImmutableEnumChecker") // a method reference
    private final Function<Singletons, LogDetail> detail;

    @SuppressWarnings("ImmutableEnumChecker") // a copy that cannot be changed
    private final List<String> loggers;

    LogCategory(Function<Singletons, LogDetail> detail, String... loggers) {
        this.detail = detail;
        this.loggers = List.of(loggers);
    }

    LogDetail detail(Singletons values) {
        return detail.apply(values);
    }

    /** The names of the loggers, or what those names begin with up to a full stop. */
    List<String> loggers() {
        return loggers;
    }
}
