/**
 * A run from its first connection to its verdict, led by one thread: connect, warm up, measure, drain, close, judge.
 *
 * <p>May depend on: {@code flow}, {@code request}, {@code traffic}, {@code plan} and the shared packages. Start reading
 * at {@link dev.avocet.bench.jms.measure.JmsRun}.
 */
@NullMarked
package dev.avocet.bench.jms.measure;

import org.jspecify.annotations.NullMarked;
