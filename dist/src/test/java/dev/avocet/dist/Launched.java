package dev.avocet.dist;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process of the launcher. Its output is read line by line by a thread of its own, as a process stands still when
 * nobody takes what it prints; closing it kills what is left of it.
 */
public final class Launched implements AutoCloseable {
    private static final int LONGEST_RUN_SECONDS = 120;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Of all tests of a JVM, as each client has threads and trusted certificates of its own. */
    private static final HttpClient READER = HttpClient.newHttpClient();
    /** What a broker prints first. */
    private static final String FIRST = "Avocet ";

    private static final Pattern PORT = Pattern.compile("listening on \\S+:(\\d+) for mqtt.*");
    private static final Pattern ADMIN_PORT = Pattern.compile("listening on \\S+:(\\d+) for http.*");

    private final Process process;
    private final Thread reader;
    /** Printed and not looked at yet; empty ones at the end. */
    private final BlockingQueue<Optional<String>> printed = new LinkedBlockingQueue<>();

    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    Launched(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Reads until a line begins like this; fails when the output ends before. */
    public String awaitLine(String beginning) {
        for (String line = next(); line != null; line = next()) {
            if (line.startsWith(FIRST)) { // started again, so its ports are others
                lines.clear();
                lines.add(line);
            }
            if (line.startsWith(beginning)) {
                return line;
            }
        }
        throw new AssertionError("no line begins with '" + beginning + "' in " + lines);
    }

    /** Reads until lines have begun like each of these, in any order; fails when the output ends before. */
    public void awaitLines(String... beginnings) {
        List<String> missing = new ArrayList<>(List.of(beginnings));
        while (!missing.isEmpty()) {
            String line = next();
            if (line == null) {
                throw new AssertionError("no line begins with any of " + missing + " in " + lines);
            }
            missing.removeIf(line::startsWith);
        }
    }

    /** Reads until a line holds this; fails when the output ends before. */
    public String awaitLineWith(String part) {
        for (String line = next(); line != null; line = next()) {
            if (line.contains(part)) {
                return line;
            }
        }
        throw new AssertionError("no line holds '" + part + "' in " + lines);
    }

    /** All that is printed up to and with a line that begins like this; fails when the output ends before. */
    public List<String> linesUntil(String beginning) {
        List<String> all = new ArrayList<>();
        for (String line = next(); line != null; line = next()) {
            all.add(line);
            if (line.startsWith(beginning)) {
                return all;
            }
        }
        throw new AssertionError("no line begins with '" + beginning + "' in " + all);
    }

    public int port() {
        return port(PORT);
    }

    public int adminPort() {
        return port(ADMIN_PORT);
    }

    /** Asks its administration, and returns what it says, whatever the status. */
    public String httpGet(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + adminPort() + path);
        return READER.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Reads on where it has not been printed yet. */
    private int port(Pattern pattern) {
        Optional<Integer> found = printedPort(pattern);
        while (found.isEmpty() && next() != null) {
            found = printedPort(pattern);
        }
        return found.orElseThrow();
    }

    private Optional<Integer> printedPort(Pattern pattern) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .findFirst();
    }

    /** Everything that was printed, once the process has ended. */
    public String output() {
        String line;
        do {
            line = next();
        } while (line != null);
        return String.join("\n", lines);
    }

    public int exitCode() throws InterruptedException {
        if (!process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running; it printed " + lines);
        }
        return process.exitValue();
    }

    public long pid() {
        return process.pid();
    }

    /** Sends SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Sends another signal. */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("/bin/kill", "-s", name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** Has it stand still until SIGCONT; returns when every one of its threads does. */
    public void stop() throws IOException, InterruptedException {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        boolean stands = false;
        while (!stands) {
            stands = true;
            try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
                for (Path thread : each) {
                    stands &= Files.readString(thread.resolve("status")).contains("\nState:\tT");
                }
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** Waits for a line; null when the output has ended. */
    private @Nullable String next() {
        try {
            Optional<String> line = ended ? Optional.empty() : printed.take();
            line.ifPresentOrElse(lines::add, () -> ended = true);
            return line.orElse(null);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while it waits for output", e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                printed.add(Optional.of(line));
            }
        } catch (IOException e) {
            printed.add(Optional.of("(its output cannot be read: " + e + ")"));
        } finally {
            printed.add(Optional.empty());
        }
    }
}
