/**
 * {@code mqttbench}, the command line.
 *
 * <p>{@link dev.avocet.bench.mqtt.RunOptions} has every option, {@link dev.avocet.bench.mqtt.OldOptions} the short ones
 * of 2015, {@link dev.avocet.bench.mqtt.OldVariables} its environment, and
 * {@link dev.avocet.bench.mqtt.WorkloadArguments} puts a named workload's options before those that were typed. Owner
 * thread: main. May depend on: {@code mqtt.engine}, picocli, what the harnesses share. Start reading at
 * {@link dev.avocet.bench.mqtt.Main}.
 */
@NullMarked
package dev.avocet.bench.mqtt;

import org.jspecify.annotations.NullMarked;
