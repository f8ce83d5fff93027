package dev.avocet.core.config.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The numbers an option may have. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {
    /** Smallest allowed. */
    long min();

    /** Largest allowed. */
    long max() default Integer.MAX_VALUE;

    /** Whether the word {@code unlimited} is allowed too, which the record holds as {@link Long#MAX_VALUE}. */
    boolean orUnlimited() default false;
}
