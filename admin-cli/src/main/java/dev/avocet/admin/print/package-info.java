/**
 * How a command prints what it has found: tables, rows, CSV, JSON.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.print.ObjectFormat}.
 */
@NullMarked
package dev.avocet.admin.print;

import org.jspecify.annotations.NullMarked;
