/**
 * Other people's MQTT clients against the broker, over real sockets: the same scenarios for each of them.
 *
 * <p>Owner: the test's thread; clients have threads of their own and leave what they receive in queues.
 *
 * <p>Start at {@link dev.avocet.mqtt.clients.ClientScenarios}. Clients that are not Java run as processes, see
 * {@link dev.avocet.mqtt.clients.LineClient}; {@code scripts/install-test-clients.sh} installs them.
 */
@NullMarked
package dev.avocet.mqtt.clients;

import org.jspecify.annotations.NullMarked;
