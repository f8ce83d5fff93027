/**
 * How a run goes: its clock, its pace and what is said of it in the end.
 *
 * <p>A {@link dev.avocet.bench.run.Pacer} belongs to the thread that sends; it says when each message was
 * <em>meant</em> to be sent, and latency is measured from there, so a sender that is held up cannot hide the wait
 * (coordinated omission). {@link dev.avocet.bench.run.PassCriteria} makes a {@link dev.avocet.bench.run.Verdict} of an
 * {@link dev.avocet.bench.run.Observation}; a run whose fault is the harness's own is {@code INVALID}, not
 * {@code FAILED}. {@link dev.avocet.bench.run.PauseRecording} knows when the JVM stood still.
 *
 * <p>May depend on: {@code check}, {@code latency} and the flight recorder ({@code jdk.jfr}). Start reading at
 * {@link dev.avocet.bench.run.RateSchedule}.
 */
@NullMarked
package dev.avocet.bench.run;

import org.jspecify.annotations.NullMarked;
