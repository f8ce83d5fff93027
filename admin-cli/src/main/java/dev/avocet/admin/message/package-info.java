/**
 * Queues, retained messages and transactions.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.message.QueueCommands}.
 */
@NullMarked
package dev.avocet.admin.message;

import org.jspecify.annotations.NullMarked;
