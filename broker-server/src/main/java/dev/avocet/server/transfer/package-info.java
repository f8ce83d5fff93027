/** Sessions and retained messages on their way from one broker to another, in a file. */
@NullMarked
package dev.avocet.server.transfer;

import org.jspecify.annotations.NullMarked;
