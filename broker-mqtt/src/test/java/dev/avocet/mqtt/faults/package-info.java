/**
 * Clients that do what they must not, and networks that fail: each ends as its version has it, and nobody else notices.
 */
@NullMarked
package dev.avocet.mqtt.faults;

import org.jspecify.annotations.NullMarked;
