/**
 * What a person hands over: passwords, assignments, lists of names, answers at the terminal, and files of their own.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.input.Terminal}.
 */
@NullMarked
package dev.avocet.admin.input;

import org.jspecify.annotations.NullMarked;
