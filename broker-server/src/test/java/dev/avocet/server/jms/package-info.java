/** JMS and MQTT clients on one broker, and what of JMS survives it. */
@NullUnmarked
package dev.avocet.server.jms;

import org.jspecify.annotations.NullUnmarked;
