package dev.avocet.mqtt.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The tests of this module that say what they prove, found by looking through its compiled tests. */
final class Proofs {
    private static final String CLASS = ".class";

    private final SortedMap<String, Set<String>> testsById = new TreeMap<>();
    private final Set<String> idle = new TreeSet<>();

    private Proofs() {}

    static Proofs ofThisModule() {
        Proofs proofs = new Proofs();
        try {
            Path root = Path.of(Proofs.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(root.resolve("dev/avocet/mqtt"))) {
                files.filter(file -> file.toString().endsWith(CLASS))
                        .map(file -> root.relativize(file).toString())
                        .forEach(proofs::look);
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return proofs;
    }

    /**
     * Test methods by the statements that they prove: {@code Class#method}, for a package below this one
     * {@code package.Class#method}.
     */
    Map<String, Set<String>> testsById() {
        return Collections.unmodifiableMap(testsById);
    }

    /** Methods that claim to prove something and that nobody runs. */
    Set<String> idle() {
        return Collections.unmodifiableSet(idle);
    }

    private void look(String file) {
        String name = file.substring(0, file.length() - CLASS.length())
                .replace('/', '.')
                .replace('\\', '.');
        try {
            for (Method method :
                    Class.forName(name, false, Proofs.class.getClassLoader()).getDeclaredMethods()) {
                note(method);
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private void note(Method method) {
        Proves proves = method.getAnnotation(Proves.class);
        if (proves == null) {
            return;
        }
        String test = nameOf(method.getDeclaringClass()) + '#' + method.getName();
        for (String id : proves.value()) {
            testsById.computeIfAbsent(id, absent -> new TreeSet<>()).add(test);
        }
        if (!isRun(method)) {
            idle.add(test);
        }
    }

    private static boolean isRun(Method method) {
        return Stream.of(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getSimpleName())
                .anyMatch(Set.of("Test", "ParameterizedTest", "RepeatedTest", "Property", "Example")::contains);
    }

    private static String nameOf(Class<?> test) {
        String here = Proofs.class.getPackageName();
        String there = test.getPackageName();
        return there.startsWith(here + '.')
                ? there.substring(here.length() + 1) + '.' + test.getSimpleName()
                : test.getSimpleName();
    }
}
