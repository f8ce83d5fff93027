package dev.avocet.mqtt.conformance;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The normative statements a test proves. Statements of MQTT 5.0 are written as the standard writes them
 * ({@code MQTT-3.1.2-2}), those of MQTT 3.1.1 with a mark in front ({@code MQTT311-3.1.2-1}).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Proves {
    String[] value();
}
