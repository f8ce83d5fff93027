/**
 * What a harness must be able to do so that several machines, or several harnesses, can make one run: to read its
 * options, and to do its {@link dev.avocet.bench.run.Share} of the work when it is told to.
 *
 * <p>Owner thread: the one that leads the part. May depend on: {@code run}, {@code check}, {@code latency}. Start
 * reading at {@link dev.avocet.bench.part.Tool}.
 */
@NullMarked
package dev.avocet.bench.part;

import org.jspecify.annotations.NullMarked;
