/** The console in a browser, before brokers as they are shipped. */
@NullMarked
package dev.avocet.dist.console;

import org.jspecify.annotations.NullMarked;
