package dev.avocet.server.rest;

import dev.avocet.core.config.object.AdminAction;
import io.javalin.http.HandlerType;
import java.util.Set;

/**
 * Something that can be asked for.
 *
 * @param path below {@code /api/v1}, with parameters in braces
 * @param summary for people, in a few words
 * @param anyOf the authorities of which one is needed; empty when any will do
 * @param handler answers it
 */
record Route(HandlerType method, String path, String summary, Set<AdminAction> anyOf, RouteHandler handler) {
    Route {
        anyOf = Set.copyOf(anyOf);
    }
}
