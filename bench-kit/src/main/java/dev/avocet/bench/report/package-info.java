/**
 * What is told of a run: figures while it goes on (a line on the terminal, a row of CSV), and its
 * {@link dev.avocet.bench.report.RunResult} at the end, as a table, as JSON and as
 * a page; and groups of results beside each other, judged.
 *
 * <p>Owner thread: the one that reports. May depend on: {@code run}, {@code check}, {@code latency}, Jackson. Start
 * reading at {@link dev.avocet.bench.report.RunResult}.
 */
@NullMarked
package dev.avocet.bench.report;

import org.jspecify.annotations.NullMarked;
