/** What no sane client sends. */
@NullUnmarked
package dev.avocet.jms.faults;

import org.jspecify.annotations.NullUnmarked;
