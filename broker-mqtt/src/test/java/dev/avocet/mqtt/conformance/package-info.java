/**
 * Proof, over real sockets, that the broker keeps the normative statements of MQTT 5.0. Runs on the test threads only.
 *
 * <p>Start at {@link Proves}; {@code docs/mqtt.md} lists which test proves which statement. May depend on everything in
 * this module and on the test kit.
 */
@NullMarked
package dev.avocet.mqtt.conformance;

import org.jspecify.annotations.NullMarked;
