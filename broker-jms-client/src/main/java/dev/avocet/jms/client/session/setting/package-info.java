/**
 * What connections, consumers and producers are asked for: their settings, names and demands for protection.
 *
 * <p>Immutable, but for {@link dev.avocet.jms.client.session.setting.ProducerSettings}, which belongs to its producer's
 * thread. May depend on: codec, message, options, protection, wire.
 */
@NullMarked
package dev.avocet.jms.client.session.setting;

import org.jspecify.annotations.NullMarked;
