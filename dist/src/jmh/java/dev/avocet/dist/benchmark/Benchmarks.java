package dev.avocet.dist.benchmark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * JMH, with the flags for the measuring JVMs that the launcher of the broker gives; JMH does not hand on those of a
 * manifest.
 */
public final class Benchmarks {
    private static final String FLAGS_OPTION = "-jvmArgsPrepend";
    private static final String FLAGS = "-Xms1g -Xmx1g --add-exports=java.base/sun.nio.ch=ALL-UNNAMED "
            + "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED --add-opens=java.base/java.lang.reflect=ALL-UNNAMED";

    /** Netty gives up sun.misc.Unsafe by default there and is 2-3 times slower without it. */
    private static final int UNSAFE_IS_ASKED_FOR = 23;

    private static final String UNSAFE_FLAGS =
            " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Dio.netty.noUnsafe=false";

    private Benchmarks() {}

    /** @param arguments those of JMH; {@code -jvmArgsPrepend} replaces our flags, other flags stand behind them */
    public static void main(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        if (!all.contains(FLAGS_OPTION)) {
            all.add(FLAGS_OPTION);
            all.add(Runtime.version().feature() < UNSAFE_IS_ASKED_FOR ? FLAGS : FLAGS + UNSAFE_FLAGS);
        }
        org.openjdk.jmh.Main.main(all.toArray(String[]::new));
    }
}
