/**
 * JSON and YAML as plain maps, lists, texts, numbers and truth values.
 *
 * <p>Owner thread: main. May depend on: Jackson's streaming half. Start reading at
 * {@link dev.avocet.admin.document.Documents}.
 */
@NullMarked
package dev.avocet.admin.document;

import org.jspecify.annotations.NullMarked;
