/**
 * Many MQTT clients in one process.
 *
 * <p>A {@link dev.avocet.bench.mqtt.engine.Lane} is an event loop with its share of the clients, the pace and the
 * accounts; it owns them, and nothing on its paths waits or is shared but counters.
 * {@link dev.avocet.bench.mqtt.engine.MqttRun} is the thread that begins the run, looks at the counters each second and
 * says how it ended. Sending and receiving do not allocate per message.
 *
 * <p>May depend on: Netty, {@code mqtt.wire} and what the harnesses share. Start reading at
 * {@link dev.avocet.bench.mqtt.engine.MqttRun}, then {@link dev.avocet.bench.mqtt.engine.SimulatedClient} with its
 * {@link dev.avocet.bench.mqtt.engine.Sender} and its {@link dev.avocet.bench.mqtt.engine.Receiver}.
 */
@NullMarked
package dev.avocet.bench.mqtt.engine;

import org.jspecify.annotations.NullMarked;
