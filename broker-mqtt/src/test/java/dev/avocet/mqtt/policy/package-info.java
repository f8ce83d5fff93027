/** What clients are told, in each version of MQTT, when policies have their say. */
@NullMarked
package dev.avocet.mqtt.policy;

import org.jspecify.annotations.NullMarked;
