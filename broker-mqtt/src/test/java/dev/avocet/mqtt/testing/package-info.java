/** What the tests of MQTT share: brokers to talk to and a client that does as it is told. */
@NullMarked
package dev.avocet.mqtt.testing;

import org.jspecify.annotations.NullMarked;
