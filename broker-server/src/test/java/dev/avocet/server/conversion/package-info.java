/**
 * What MQTT and JMS clients see of each other's messages: each row of docs/amqp.md, by real clients on a real broker.
 */
@NullMarked
package dev.avocet.server.conversion;

import org.jspecify.annotations.NullMarked;
