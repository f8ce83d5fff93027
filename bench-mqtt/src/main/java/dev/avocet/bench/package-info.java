/**
 * The load generators. {@code mqttbench} is here; what it shares with {@code jmsbench} stands in packages of its own
 * that know neither MQTT nor Netty: {@code run}, {@code check}, {@code latency}, {@code environment}, {@code report}
 * and {@code workload}.
 *
 * <p>Owner thread: main. May depend on: everything below it, never on a module of a broker, so that any broker can be
 * measured. Start reading at {@code dev.avocet.bench.run}.
 */
@NullMarked
package dev.avocet.bench;

import org.jspecify.annotations.NullMarked;
