/**
 * How long things take, in HdrHistograms of three digits.
 *
 * <p>Each thread that measures has a {@link dev.avocet.bench.latency.LatencyRecorder} of its own; the thread that
 * reports takes what was recorded since it last did, interval by interval. Recording does not allocate.
 *
 * <p>May depend on: HdrHistogram. Start reading at {@link dev.avocet.bench.latency.LatencyHistory}.
 */
@NullMarked
package dev.avocet.bench.latency;

import org.jspecify.annotations.NullMarked;
