/**
 * AMQP clients in other languages, as processes of their own, with the broker and with the JMS client: start at
 * {@code AmqpClientScenarios}.
 */
@NullUnmarked
package dev.avocet.server.clients;

import org.jspecify.annotations.NullUnmarked;
