/**
 * What a connection can be told: one table of options behind the URL, the setters, the properties and the page of
 * documentation.
 *
 * <p>Owner thread: any; {@link dev.avocet.jms.client.options.Options} is copied when a connection is made. May depend
 * on: message. Start reading at {@link dev.avocet.jms.client.options.Option}.
 */
@NullMarked
package dev.avocet.jms.client.options;

import org.jspecify.annotations.NullMarked;
