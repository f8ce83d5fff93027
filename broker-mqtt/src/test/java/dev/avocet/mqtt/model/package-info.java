/**
 * A small model of MQTT, and random sequences of what clients do, played on the broker and the model alike.
 *
 * <p>{@link dev.avocet.mqtt.model.Scenario} does things to both; {@link dev.avocet.mqtt.model.WireClient} is a client
 * that writes and reads packets; {@link dev.avocet.mqtt.model.ModelSession} knows what a client must and may be sent.
 */
@NullMarked
package dev.avocet.mqtt.model;

import org.jspecify.annotations.NullMarked;
