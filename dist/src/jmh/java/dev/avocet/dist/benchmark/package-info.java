/** The entry of the jar that holds the benchmarks of all modules. May depend on JMH only. */
@NullMarked
package dev.avocet.dist.benchmark;

import org.jspecify.annotations.NullMarked;
