/**
 * The command line: reads options and named workloads, makes a plan of them, runs it and prints the result.
 *
 * <p>May depend on: {@code measure}, {@code plan}, {@code client}, {@code traffic}, the shared packages, picocli. Start
 * reading at {@link dev.avocet.bench.jms.command.JmsBench}.
 */
@NullMarked
package dev.avocet.bench.jms.command;

import org.jspecify.annotations.NullMarked;
