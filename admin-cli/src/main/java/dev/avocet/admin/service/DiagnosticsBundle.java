package dev.avocet.admin.service;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.Version;
import dev.avocet.admin.input.PrivateFile;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A zip file with what a broker tells about itself. It is bounded, and readable by its owner only. */
final class DiagnosticsBundle implements AutoCloseable {
    private static final int LONGEST_ENTRY_BYTES = 8 << 20;
    private static final String PROBLEMS = "problems.txt";

    private final ZipOutputStream zip;
    private final List<String> entries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private int exitCode = ExitCode.DONE;

    DiagnosticsBundle(Path file) throws IOException {
        PrivateFile.create(file);
        zip = new ZipOutputStream(Files.newOutputStream(file), StandardCharsets.UTF_8);
    }

    /** Takes what it can get: a broker that is in trouble may refuse some of it. */
    void addAll(AdminClient client, boolean histogram) throws IOException {
        add("this-program.txt", thisProgram());
        for (Map.Entry<String, String> part : parts(histogram).entrySet()) {
            try {
                add(part.getKey(), client.get(part.getValue()).body());
            } catch (AdminException e) {
                problems.add(part.getKey() + ": " + e.getMessage());
                if (e.exitCode() == ExitCode.UNREACHABLE) {
                    exitCode = ExitCode.UNREACHABLE;
                    break; // the rest would wait for the same
                }
                exitCode = Math.max(exitCode, e.exitCode());
            }
        }
        if (!problems.isEmpty()) {
            add(PROBLEMS, String.join("\n", problems) + "\n");
        }
    }

    List<String> entries() {
        return entries;
    }

    /** What could not be got, and why. */
    List<String> problems() {
        return problems;
    }

    int exitCode() {
        return exitCode;
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    private static Map<String, String> parts(boolean histogram) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("health.json", "/health");
        parts.put("metrics.txt", "/metrics");
        parts.put("status.json", "/api/v1/service/status");
        parts.put("configuration.json", "/api/v1/configuration");
        parts.put("configuration-versions.json", "/api/v1/configuration/versions");
        parts.put("startup.json", "/api/v1/service/diagnostics/startup");
        parts.put("store.json", "/api/v1/monitor/Store");
        parts.put("clients.json", "/api/v1/service/MQTTClient?ResultCount=1000");
        parts.put("subscriptions.json", "/api/v1/service/Subscription?ResultCount=1000");
        parts.put("transactions.json", "/api/v1/service/Transaction");
        parts.put("jvm.txt", "/api/v1/service/diagnostics/jvm");
        parts.put("threads.txt", "/api/v1/service/diagnostics/threads");
        parts.put("system.txt", "/api/v1/service/diagnostics/system");
        parts.put("log.txt", "/api/v1/service/diagnostics/log");
        parts.put("trace.txt", "/api/v1/service/trace?Bytes=4194304");
        if (histogram) {
            parts.put("heap-histogram.txt", "/api/v1/service/diagnostics/histogram");
        }
        return parts;
    }

    private void add(String name, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isCut = bytes.length > LONGEST_ENTRY_BYTES;
        zip.putNextEntry(new ZipEntry(name));
        ((OutputStream) zip).write(isCut ? Arrays.copyOf(bytes, LONGEST_ENTRY_BYTES) : bytes);
        zip.closeEntry();
        entries.add(name + (isCut ? " (cut)" : ""));
    }

    private static String thisProgram() {
        return "broker-admin " + String.join(" ", new Version().getVersion()) + "\njava " + Runtime.version() + "\nos "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch") + "\n";
    }
}
