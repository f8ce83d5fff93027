/**
 * Proof, over real sockets, that the broker keeps the normative statements of MQTT 3.1.1 that bind a server, and what
 * it does differently for MQTT 3.1. Runs on the test threads only.
 *
 * <p>Start at {@link V311Test}; the statements are listed in {@code mqtt311-server-statements.txt}. May depend on
 * everything in this module and on the test kit.
 */
@NullMarked
package dev.avocet.mqtt.conformance.v311;

import org.jspecify.annotations.NullMarked;
