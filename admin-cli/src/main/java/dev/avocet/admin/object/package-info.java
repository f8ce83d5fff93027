/**
 * The verbs of configuration objects and of the files that they name.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.object.ObjectVerb}.
 */
@NullMarked
package dev.avocet.admin.object;

import org.jspecify.annotations.NullMarked;
