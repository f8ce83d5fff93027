package dev.avocet.server.rest.request;

import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.server.objects.ConfigurationStoreException;
import io.javalin.http.Context;

/** Answers requests of administrators who may make them. */
@FunctionalInterface
public interface RouteHandler {
    void handle(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException;
}
