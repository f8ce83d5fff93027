package dev.avocet.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A distribution with the jars of Bouncy Castle FIPS, where docs/security.md tells administrators to put them. */
public final class FipsHome {
    private static final Path JARS = Path.of("target", "fips-jars");

    private FipsHome() {}

    /**
     * Makes it of links; the distribution itself is that of other tests.
     *
     * @param name of its folder, one for each class of tests
     */
    public static Path make(String name) throws IOException {
        Path home = Path.of("target", name).toAbsolutePath();
        for (String folder : List.of("bin", "conf", "lib", "lib/ha")) {
            link(Distribution.HOME.resolve(folder), home.resolve(folder));
        }
        link(JARS, home.resolve("lib/fips"));
        return home;
    }

    private static void link(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path link = to.resolve(file.getFileName());
                Files.deleteIfExists(link);
                Files.createLink(link, file);
            }
        }
    }
}
