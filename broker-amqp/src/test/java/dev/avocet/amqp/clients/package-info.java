/** Other people's clients against a broker of ours. */
@NullUnmarked
package dev.avocet.amqp.clients;

import org.jspecify.annotations.NullUnmarked;
