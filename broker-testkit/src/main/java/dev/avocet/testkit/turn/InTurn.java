package dev.avocet.testkit.turn;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that costs too much to run in each quick build. Where {@code -Davocet.test.turns=N} is given, it runs in one
 * of N builds; elsewhere it runs in each. {@code -Davocet.random.first=SEED} draws whose turn it is: N consecutive
 * seeds run each test once.
 *
 * <p>On a class, the class has one turn with all its tests and the classes nested in it, so what they share is set up
 * in that build only. On methods, each has a turn of its own, and those of a class have turns that follow each other.
 *
 * <p>What no quick test covers goes without this mark.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface InTurn {}
