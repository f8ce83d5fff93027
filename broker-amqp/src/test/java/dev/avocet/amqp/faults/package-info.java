/** What no sane client sends. */
@NullUnmarked
package dev.avocet.amqp.faults;

import org.jspecify.annotations.NullUnmarked;
