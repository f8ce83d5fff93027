/**
 * What a broker says of itself: {@link dev.avocet.bench.brokerside.AvocetInspection} asks Avocet's monitoring over HTTP
 * before and after a run.
 *
 * <p>Owner thread: that of the run; asking waits, but never longer than some seconds. May depend on: {@code run},
 * Jackson and the JDK. Start reading at {@link dev.avocet.bench.brokerside.AvocetInspection}.
 */
@NullMarked
package dev.avocet.bench.brokerside;

import org.jspecify.annotations.NullMarked;
