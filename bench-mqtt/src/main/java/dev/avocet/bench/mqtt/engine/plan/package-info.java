/**
 * What a run is asked to do and where it connects: the plan, the addresses of the brokers, TLS and its certificates,
 * and the troubles that end a run. Owner thread: none; a plan is immutable, and every lane reads it. May depend on:
 * {@code mqtt.wire} and what the harnesses share. Start at {@link dev.avocet.bench.mqtt.engine.plan.RunPlan}.
 */
@NullMarked
package dev.avocet.bench.mqtt.engine.plan;

import org.jspecify.annotations.NullMarked;
