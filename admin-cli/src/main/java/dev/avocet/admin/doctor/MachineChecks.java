package dev.avocet.admin.doctor;

import dev.avocet.admin.connection.Patient;
import dev.avocet.admin.outcome.AdminException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the operating system and Java give the broker. */
final class MachineChecks {
    private static final int OLDEST_JAVA = 17;
    private static final int NEWEST_JAVA = 25;
    private static final int UNSAFE_FROM_JAVA = 24;
    private static final long FEW_FILES = 4_096;
    private static final long MANY_FILES = 65_536;
    private static final long MIB = 1 << 20;
    private static final long LITTLE_MEMORY_MIB = 512;

    private static final Pattern OPEN_FILES = Pattern.compile("Max open files\\s+(\\d+|unlimited)");
    private static final Pattern JAVA = Pattern.compile("^java\\s+(\\d+)", Pattern.MULTILINE);
    private static final Pattern HEAP = Pattern.compile("^heap\\s.*max = (\\d+)", Pattern.MULTILINE);
    private static final Pattern NEEDED_FLAG = Pattern.compile("--add-(?:exports|opens)=[^\"\\s]+");
    private static final Pattern MEMORY = Pattern.compile("^MemTotal:\\s+(\\d+) kB", Pattern.MULTILINE);
    private static final String UNSAFE_FLAG = "--sun-misc-unsafe-memory-access=allow";

    private final Patient patient;
    private final List<Finding> findings = new ArrayList<>();

    MachineChecks(Patient patient) {
        this.patient = patient;
    }

    List<Finding> findings() {
        try {
            if (patient.answers()) {
                String jvm = text("jvm");
                String system = text("system");
                openFiles(system, "the broker");
                java(number(JAVA, jvm).orElse(0L).intValue(), "the broker runs on");
                flags(jvm);
                memory(number(HEAP, jvm).orElse(0L), system);
            } else {
                openFiles(content(Path.of("/proc/self/limits")), "this shell");
                java(Runtime.version().feature(), "the launcher finds");
                memory(0, content(Path.of("/proc/meminfo")) + cgroup());
            }
        } catch (AdminException e) {
            findings.add(Finding.warn(
                    "machine",
                    "the broker does not tell: " + e.getMessage(),
                    "name a user with --user who may manage it"));
        }
        return findings;
    }

    private void openFiles(String limits, String whose) {
        Matcher matcher = OPEN_FILES.matcher(limits);
        if (!matcher.find()) {
            return;
        }
        String limit = matcher.group(1);
        long count = limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit);
        String found = "at most " + limit + " of " + whose + ", one for each connection";
        String advice = "raise it with LimitNOFILE in the systemd unit, or 'ulimit -n'";
        findings.add(
                count < FEW_FILES
                        ? Finding.fail("open files", found, advice)
                        : count < MANY_FILES
                                ? Finding.warn("open files", found, advice)
                                : Finding.ok("open files", found));
    }

    private void java(int feature, String who) {
        boolean isSuitable = feature >= OLDEST_JAVA && feature <= NEWEST_JAVA;
        findings.add(
                isSuitable
                        ? Finding.ok("java", who + " Java " + feature)
                        : Finding.fail(
                                "java",
                                who + " Java " + feature,
                                "point JAVA_HOME at one of " + OLDEST_JAVA + " to " + NEWEST_JAVA));
    }

    /** Those of the launcher, so that the two cannot differ. */
    private void flags(String jvm) {
        List<String> missing = new ArrayList<>();
        Matcher needed =
                NEEDED_FLAG.matcher(content(patient.home().resolve("bin").resolve("broker")));
        while (needed.find()) {
            addIfMissing(needed.group(), jvm, missing);
        }
        if (number(JAVA, jvm).orElse(0L) >= UNSAFE_FROM_JAVA) {
            addIfMissing(UNSAFE_FLAG, jvm, missing);
        }
        findings.add(
                missing.isEmpty()
                        ? Finding.ok("java flags", "are there")
                        : Finding.fail(
                                "java flags",
                                "missing: " + String.join(" ", missing),
                                "start the broker with bin/broker, which gives them"));
    }

    /** A flag may be given in two words. */
    private static void addIfMissing(String flag, String jvm, List<String> missing) {
        if (!jvm.contains(flag) && !jvm.contains(flag.replaceFirst("=", "\n"))) {
            missing.add(flag);
        }
    }

    private void memory(long heapBytes, String system) {
        long totalMib = number(MEMORY, system).orElse(0L) / 1_024;
        long limitMib = containerLimitMib(system).orElse(Long.MAX_VALUE);
        long availableMib = Math.min(totalMib == 0 ? Long.MAX_VALUE : totalMib, limitMib);
        if (availableMib == Long.MAX_VALUE) {
            return;
        }
        String found = availableMib + " MiB"
                + (limitMib <= totalMib ? " allowed by the container" : " in the machine")
                + (heapBytes == 0 ? "" : ", heap of at most " + heapBytes / MIB + " MiB and as much outside of it");
        boolean isTooMuch = 2 * heapBytes / MIB > availableMib;
        findings.add(
                isTooMuch
                        ? Finding.fail("memory", found, "a smaller BROKER_HEAP, or more memory for the container")
                        : availableMib < LITTLE_MEMORY_MIB
                                ? Finding.warn("memory", found, "give it " + LITTLE_MEMORY_MIB + " MiB")
                                : Finding.ok("memory", found));
    }

    private static Optional<Long> containerLimitMib(String system) {
        Matcher matcher = Pattern.compile("/(?:memory\\.max|memory\\.limit_in_bytes)\\n(\\d+)")
                .matcher(system);
        return matcher.find() && matcher.group(1).length() <= 15
                ? Optional.of(Long.parseLong(matcher.group(1)) / MIB)
                : Optional.empty();
    }

    private static String cgroup() {
        StringBuilder text = new StringBuilder();
        for (String file : List.of("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")) {
            text.append('\n').append(file).append('\n').append(content(Path.of(file)));
        }
        return text.toString();
    }

    private static Optional<Long> number(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }

    private String text(String part) throws AdminException {
        return patient.client()
                .get("/api/v1/service/diagnostics/" + part.toLowerCase(Locale.ROOT))
                .body();
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
