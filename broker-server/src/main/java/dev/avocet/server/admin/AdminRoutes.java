package dev.avocet.server.admin;

import io.javalin.Javalin;

/** Something that is served over HTTP beside health and metrics. */
@FunctionalInterface
public interface AdminRoutes {
    /** Attribute of a request whose answer is complete although its status says that something is wrong. */
    String ANSWERED = "avocet.answered";

    /** Adds the routes, before the server starts. */
    void addTo(Javalin http);
}
