package dev.avocet.bench.run;

/**
 * One thing that was asked of a run, in words.
 *
 * @param what such as {@code lost}
 * @param asked such as {@code none}
 * @param came such as {@code 1 of 100}
 * @param kept whether what came is what was asked for
 */
public record Check(String what, String asked, String came, boolean kept) {}
