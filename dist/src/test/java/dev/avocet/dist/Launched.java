package dev.avocet.dist;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of the launcher. Its output is read line by line; closing it kills what is left of it. */
public final class Launched implements AutoCloseable {
    private static final int LONGEST_RUN_SECONDS = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Pattern PORT = Pattern.compile("listening on \\S+:(\\d+) for mqtt.*");
    private static final Pattern ADMIN_PORT = Pattern.compile("listening on \\S+:(\\d+) for http.*");

    private final Process process;
    private final BufferedReader reader;
    private final List<String> lines = new ArrayList<>();

    Launched(Process process) {
        this.process = process;
        this.reader = process.inputReader();
    }

    /** Reads until a line begins like this; fails when the output ends before. */
    public String awaitLine(String beginning) throws IOException {
        String line = reader.readLine();
        while (line != null) {
            lines.add(line);
            if (line.startsWith(beginning)) {
                return line;
            }
            line = reader.readLine();
        }
        throw new AssertionError("no line begins with '" + beginning + "' in " + lines);
    }

    public int port() {
        return port(PORT);
    }

    int adminPort() {
        return port(ADMIN_PORT);
    }

    /** Asks its administration, and returns what it says, whatever the status. */
    public String httpGet(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + adminPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private int port(Pattern pattern) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /** Everything that was printed, once the process has ended. */
    public String output() {
        reader.lines().forEach(lines::add);
        return String.join("\n", lines);
    }

    public int exitCode() throws InterruptedException {
        if (!process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running; it printed " + lines);
        }
        return process.exitValue();
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
        try {
            reader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
