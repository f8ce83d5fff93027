package dev.avocet.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes of a packaged program as a JVM has loaded and checked them once, for those that tests start: such a start
 * costs two thirds, that of an arbiter half. One file of each kind for all JVMs of the tests, made by the first that
 * wants it; without it everything works as well.
 */
enum SharedClasses {
    OF_BROKER {
        @Override
        Launched launch(Map<String, String> environment, String data) throws IOException {
            return Distribution.launch(
                    environment, "--data", data, "--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0");
        }
    },

    /** With what talks to the other members. It is ready without them. */
    OF_BROKER_IN_PAIR {
        @Override
        Launched launch(Map<String, String> environment, String data) throws IOException {
            List<String> arguments = new ArrayList<>(membership("a", data));
            arguments.addAll(List.of("--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0"));
            return Distribution.launch(environment, arguments.toArray(String[]::new));
        }
    },

    OF_ARBITER {
        @Override
        Launched launch(Map<String, String> environment, String data) throws IOException {
            return Distribution.launchArbiter(environment, membership("z", data).toArray(String[]::new));
        }
    };

    private static final String OPTION_OF_PAIRS = "--ha-group";

    /** Starts one that has the classes loaded which others need when it prints that it is ready. */
    abstract Launched launch(Map<String, String> environment, String data) throws IOException;

    /** Of a broker that is started like this. */
    static SharedClasses ofBroker(String... arguments) {
        return List.of(arguments).contains(OPTION_OF_PAIRS) ? OF_BROKER_IN_PAIR : OF_BROKER;
    }

    private static List<String> membership(String node, String data) {
        String members = Stream.of("a", "b", "z")
                .map(member -> member + "=127.0.0.1:" + Distribution.twoPorts())
                .collect(Collectors.joining(","));
        return List.of("--data", data, OPTION_OF_PAIRS, "classes", "--ha-node", node, "--ha-members", members);
    }

    /**
     * The environment with the flags that a program of that distribution needs for it, where it is that of a
     * short-lived one.
     */
    Map<String, String> in(Map<String, String> environment, Path home) {
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
    private Path archive(Path home, Map<String, String> environment) throws IOException {
        String kind = name().toLowerCase(Locale.ROOT).replace('_', '-');
        Path archive = Path.of("target", "shared-classes-" + kind + "-" + key(home) + ".jsa")
                .toAbsolutePath();
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
        try (Stream<Path> files = Files.walk(home.resolve("lib"))) {
            List<String> parts = files.sorted().map(SharedClasses::nameAndTime).toList();
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
    private void write(Path archive, Map<String, String> environment) throws IOException {
        Path data = Files.createTempDirectory(archive.getParent(), "shared-classes");
        Map<String, String> dumping = with(environment, "-Xlog:disable -XX:ArchiveClassesAtExit=" + archive);
        try (Launched program = launch(dumping, data.toString())) {
            program.awaitLine("ready");
            program.terminate();
            int unused = program.exitCode();
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
