package dev.avocet.server.system;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What is needed of the process to find the cause of a problem. Holds no secret: values of options and
 * properties whose names sound like one are masked, and the environment is left out. Each text is bounded. Not for
 * event loops.
 */
public enum ProcessReport {
    /** Version, flags, memory and collections of the JVM. */
    JVM {
        @Override
        String make() {
            return ProcessReport.jvm();
        }
    },
    /** What every thread does. */
    THREADS {
        @Override
        String make() {
            return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(true, true))
                    .map(ProcessReport::stack)
                    .collect(Collectors.joining("\n"));
        }
    },
    /** What fills the heap; collects garbage first, which takes a moment. */
    HISTOGRAM {
        @Override
        String make() {
            return ProcessReport.histogram();
        }
    },
    /** What the operating system allows. */
    SYSTEM {
        @Override
        String make() {
            return ProcessReport.system();
        }
    },
    /** The last lines of the log. */
    LOG {
        @Override
        String make() {
            return String.join("", RecentLog.lines());
        }
    };

    private static final int LONGEST = 4 << 20;
    private static final List<String> PROC_FILES = List.of(
            "/proc/self/limits",
            "/proc/self/status",
            "/proc/self/cgroup",
            "/sys/fs/cgroup/memory.max",
            "/sys/fs/cgroup/memory.current",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/cpu.max",
            "/proc/meminfo",
            "/proc/loadavg",
            "/proc/sys/fs/file-nr",
            "/proc/sys/net/core/somaxconn",
            "/proc/sys/vm/max_map_count");
    private static final List<String> PROPERTIES =
            List.of("java.", "os.", "file.encoding", "avocet.", "io.netty.", "user.dir");

    abstract String make();

    /** The text, which is never longer than a few MB. */
    public String text() {
        String text = make();
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "\n(there is more)\n";
    }

    /** The part with that name, in letters of any size. */
    public static Optional<ProcessReport> named(String name) {
        return Arrays.stream(values())
                .filter(part -> part.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** An option of the JVM, its value masked when it sounds like a secret. */
    static String masked(String option) {
        int equals = option.indexOf('=');
        String name = (equals < 0 ? option : option.substring(0, equals)).toLowerCase(Locale.ROOT);
        boolean secret = List.of("password", "passwd", "secret", "token", "credential", "pin").stream()
                .anyMatch(name::contains);
        return secret && equals >= 0 ? option.substring(0, equals + 1) + "********" : option;
    }

    private static String jvm() {
        var runtime = ManagementFactory.getRuntimeMXBean();
        StringBuilder text = new StringBuilder(4_096);
        text.append("vm       ")
                .append(runtime.getVmName())
                .append(' ')
                .append(runtime.getVmVersion())
                .append('\n');
        text.append("java     ").append(Runtime.version()).append('\n');
        text.append("uptime   ").append(runtime.getUptime()).append(" ms\n");
        text.append("heap     ")
                .append(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage())
                .append('\n');
        text.append("non-heap ")
                .append(ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage())
                .append('\n');
        ManagementFactory.getGarbageCollectorMXBeans()
                .forEach(gc -> text.append("gc       ")
                        .append(gc.getName())
                        .append(": ")
                        .append(gc.getCollectionCount())
                        .append(" collections, ")
                        .append(gc.getCollectionTime())
                        .append(" ms\n"));
        text.append("\nflags\n");
        runtime.getInputArguments().forEach(flag -> text.append(masked(flag)).append('\n'));
        text.append("\nproperties\n");
        new TreeMap<>(runtime.getSystemProperties()).forEach((name, value) -> {
            if (PROPERTIES.stream().anyMatch(name::startsWith)) {
                text.append(masked(name + "=" + value.strip())).append('\n');
            }
        });
        return text.toString();
    }

    /** Unlike its own text, the whole stack. */
    private static String stack(ThreadInfo thread) {
        StringBuilder text = new StringBuilder(512);
        text.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState());
        if (thread.getLockName() != null) {
            text.append(" on ").append(thread.getLockName());
        }
        if (thread.getLockOwnerName() != null) {
            text.append(" held by \"").append(thread.getLockOwnerName()).append('"');
        }
        text.append('\n');
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("    at ").append(element).append('\n');
        }
        return text.toString();
    }

    private static String histogram() {
        try {
            Object answer = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return String.valueOf(answer);
        } catch (JMException e) {
            return "this JVM has no histogram: " + e.getMessage() + "\n";
        }
    }

    private static String system() {
        StringBuilder text = new StringBuilder(8_192);
        text.append("processors ")
                .append(Runtime.getRuntime().availableProcessors())
                .append('\n');
        for (FileStore store : Path.of("").toAbsolutePath().getFileSystem().getFileStores()) {
            text.append(fileStore(store));
        }
        for (String name : PROC_FILES) {
            Path file = Path.of(name);
            if (Files.isReadable(file)) {
                text.append("\n").append(name).append('\n').append(content(file));
            }
        }
        return text.toString();
    }

    private static String fileStore(FileStore store) {
        try {
            return "disk " + store + " type " + store.type() + " total " + store.getTotalSpace() + " usable "
                    + store.getUsableSpace() + "\n";
        } catch (IOException e) {
            return "disk " + store + " cannot be asked: " + e.getMessage() + "\n";
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "cannot be read: " + e.getMessage() + "\n";
        }
    }
}
