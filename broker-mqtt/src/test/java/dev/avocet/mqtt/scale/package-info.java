/**
 * How MQTT behaves in large numbers. Each test has a short form, which must find mistakes, and a long one, tagged
 * {@code soak}, which measures; the figures stand in docs/measurements.md.
 */
@NullMarked
package dev.avocet.mqtt.scale;

import org.jspecify.annotations.NullMarked;
