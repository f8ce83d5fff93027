/** Other people's clients against a broker of ours. */
@NullUnmarked
package dev.avocet.jms.clients;

import org.jspecify.annotations.NullUnmarked;
