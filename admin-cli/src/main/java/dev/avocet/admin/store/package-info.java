/**
 * What needs the broker's own files: the first configuration and the store, by {@code bin/broker} beside it.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.store.BrokerProgram}.
 */
@NullMarked
package dev.avocet.admin.store;

import org.jspecify.annotations.NullMarked;
