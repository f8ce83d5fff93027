/**
 * What one client sends and receives: its role, its streams of messages, its subscriptions, and what it has sent
 * that is not acknowledged yet. A client's lane owns its flow. May depend on: engine.plan, {@code mqtt.wire} and
 * what the harnesses share. Start at {@link dev.avocet.bench.mqtt.engine.flow.Role}.
 */
@NullMarked
package dev.avocet.bench.mqtt.engine.flow;

import org.jspecify.annotations.NullMarked;
