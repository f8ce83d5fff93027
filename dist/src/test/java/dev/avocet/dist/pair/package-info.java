/** Pairs of brokers as they are shipped, in processes of their own, of which some are killed. */
@NullMarked
package dev.avocet.dist.pair;

import org.jspecify.annotations.NullMarked;
