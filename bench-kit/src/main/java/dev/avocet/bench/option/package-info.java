/**
 * The options that the harnesses have in common: how long a run takes, what passes, and where its result goes.
 *
 * <p>Owner thread: the one that reads the command line. May depend on: {@code run}, {@code report}, picocli. Start
 * reading at {@link dev.avocet.bench.option.TimingOptions}.
 */
@NullMarked
package dev.avocet.bench.option;

import org.jspecify.annotations.NullMarked;
