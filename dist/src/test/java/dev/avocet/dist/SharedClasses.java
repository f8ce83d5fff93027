package dev.avocet.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The classes of the packaged broker as a JVM has loaded and checked them once, for the brokers that tests start: such
 * a start costs two thirds. One file for all JVMs of the tests, made by the first that wants it; without it everything
 * works as well.
 */
final class SharedClasses {
    private SharedClasses() {}

    /**
     * The environment with the flags that a broker of that distribution needs for it, where it is that of a short-lived
     * one.
     */
    static Map<String, String> in(Map<String, String> environment, Path home) {
        if (!Distribution.QUICK_COMPILER.equals(environment.get("JAVA_OPTS"))) {
            return environment;
        }
        try {
            Path archive = archive(home, environment);
            return Files.size(archive) == 0
                    ? environment
                    : with(environment, "-Xlog:disable -XX:SharedArchiveFile=" + archive);
        } catch (IOException e) {
            throw new UncheckedIOException("no place for shared classes", e);
        }
    }

    /** Empty when the JVM could write none. */
    private static Path archive(Path home, Map<String, String> environment) throws IOException {
        Path archive = Path.of("target", "shared-classes-" + key(home) + ".jsa").toAbsolutePath();
        Path lock = Files.createDirectories(archive.getParent()).resolve("shared-classes.lock");
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.lock(); // until the file is closed
            if (!Files.exists(archive)) {
                Path written = archive.resolveSibling(archive.getFileName() + ".new");
                write(written, environment);
                Files.move(Files.exists(written) ? written : Files.createFile(written), archive);
            }
            return archive;
        }
    }

    private static Map<String, String> with(Map<String, String> environment, String flags) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_OPTS", Distribution.QUICK_COMPILER + ' ' + flags);
        return all;
    }

    /** Other jars, or another JVM, have another file. */
    private static String key(Path home) throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            List<String> parts = jars.sorted().map(SharedClasses::nameAndTime).toList();
            return Integer.toHexString((System.getProperty("java.vm.version") + parts).hashCode());
        }
    }

    private static String nameAndTime(Path jar) {
        try {
            return jar + " " + Files.getLastModifiedTime(jar).toMillis();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JVM writes it while it ends. */
    private static void write(Path archive, Map<String, String> environment) throws IOException {
        Path data = Files.createTempDirectory(archive.getParent(), "shared-classes");
        Map<String, String> dumping = with(environment, "-Xlog:disable -XX:ArchiveClassesAtExit=" + archive);
        try (Launched broker = Distribution.launch(
                dumping, "--data", data.toString(), "--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0")) {
            broker.awaitLine("ready");
            broker.terminate();
            int unused = broker.exitCode();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while classes are written", e);
        } finally {
            delete(data);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
