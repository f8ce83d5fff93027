package dev.avocet.core.config.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A property that names an object, or a list of objects, which must exist. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Reference {
    /** What kind of object it names. */
    Class<? extends ConfigurationObject> value();

    /** Most names in the list. */
    int max() default 100;
}
