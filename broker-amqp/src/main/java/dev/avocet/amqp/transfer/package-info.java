/**
 * What flows in sessions: transfers, dispositions and credit [AMQP 1.0 part 2, 2.5 and 2.6]. It is read and written
 * here, straight from the bytes that came and to those that go out, and the windows of sessions, the credit of links
 * and their unsettled deliveries are kept here. Which sessions and links there are is ProtonJ2's business.
 *
 * <p>Owner: the connection's event loop. May depend on: dev.avocet.amqp.frame, codec.
 * Start at {@link dev.avocet.amqp.transfer.SessionFlows}.
 */
@NullMarked
package dev.avocet.amqp.transfer;

import org.jspecify.annotations.NullMarked;
