package dev.avocet.server.rest;

import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.server.objects.ConfigurationStoreException;
import io.javalin.http.Context;

/** Answers requests of administrators who may make them. */
@FunctionalInterface
interface RouteHandler {
    void handle(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException;
}
