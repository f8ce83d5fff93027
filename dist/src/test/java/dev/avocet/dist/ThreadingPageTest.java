package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/threading.md against the sources of what runs in the broker's process. */
class ThreadingPageTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES =
            List.of("broker-core", "broker-mqtt", "broker-amqp", "broker-ha", "broker-server");
    private static final Pattern COMMENT = Pattern.compile("//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern LOCK = Pattern.compile(
            "\\bsynchronized\\b|\\bsynchronized(List|Map|Set|Collection)\\(|new (Reentrant|Stamped)\\w*Lock\\(");
    private static final Pattern THREAD_NAME =
            Pattern.compile("new \\w*Thread(?:Factory)?\\([^;{}]*?\"([a-z][a-z-]*)\"");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern CLASS = Pattern.compile("[A-Z]\\w+");
    /** Repeats the JDK's signature; the page says so below its table. */
    private static final String NO_LOCK = "CannotListenException";

    @Test
    void shouldNameEveryClassWithALockAndNoOther() throws IOException {
        Set<String> locking = new TreeSet<>();
        for (Path source : sources()) {
            if (LOCK.matcher(code(source)).find()) {
                locking.add(source.getFileName().toString().replace(".java", ""));
            }
        }
        locking.remove(NO_LOCK);
        Set<String> told = new TreeSet<>();
        for (String cell : firstCells("## Locks")) {
            Matcher code = CODE.matcher(cell);
            while (code.find()) {
                Matcher name = CLASS.matcher(code.group(1));
                if (name.lookingAt()) {
                    told.add(name.group());
                }
            }
        }
        told.remove("ReentrantLock");

        assertThat(told).isEqualTo(locking);
    }

    @Test
    void shouldNameEveryThread() throws IOException {
        Set<String> told = new TreeSet<>();
        for (String cell : firstCells("## Roles")) {
            Matcher code = CODE.matcher(cell);
            while (code.find()) {
                told.add(code.group(1));
            }
        }

        Set<String> missing = new TreeSet<>();
        for (Path source : sources()) {
            Matcher name = THREAD_NAME.matcher(code(source));
            while (name.find()) {
                if (told.stream().noneMatch(each -> isNamed(name.group(1), each))) {
                    missing.add(name.group(1) + " of " + source.getFileName());
                }
            }
        }

        assertThat(told).contains("io-1", "journal", "store-reader");
        assertThat(missing).isEmpty();
    }

    /** Whether the page means that thread; "…", a number or "NAME" stands for what differs among several. */
    private static boolean isNamed(String name, String told) {
        String stem = told.replaceFirst("(…|\\d+|NAME)$", "");
        return name.equals(stem)
                || (told.endsWith("…") && name.startsWith(stem))
                || name.equals(stem.replaceFirst("-$", ""));
    }

    private static List<String> firstCells(String heading) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/threading.md"));
        int from = page.indexOf(heading);
        assertThat(from).as(heading).isNotNegative();
        int to = page.indexOf("\n## ", from);
        return page.substring(from, to < 0 ? page.length() : to)
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
                .map(line -> line.split("\\|", -1)[1])
                .toList();
    }

    private static String code(Path source) throws IOException {
        return COMMENT.matcher(Files.readString(source)).replaceAll("");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = MODULES.stream()
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .flatMap(ThreadingPageTest::filesIn)) {
            return files.toList();
        }
    }

    private static Stream<Path> filesIn(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
