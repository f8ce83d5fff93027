/**
 * The simplified API of Jakarta Messaging: JMSContext and what it makes, over connections and sessions.
 *
 * <p>Owner thread: the application's, as for a session. May depend on: session, call, message. Start reading at {@link
 * dev.avocet.jms.client.context.JmsContext}.
 */
@NullMarked
package dev.avocet.jms.client.context;

import org.jspecify.annotations.NullMarked;
