package dev.avocet.jms.chapters;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A run does something else than the specification says: the test fails there, in the way that is given. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Differs.All.class)
public @interface Differs {
    Run on();

    /** A part of what the failed check says: what is done instead. */
    String seen();

    /** Why that is so. */
    String because();

    /** False where it depends on which of two threads is faster: then the test may pass. */
    boolean always() default true;

    /** Several of them. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface All {
        Differs[] value();
    }
}
