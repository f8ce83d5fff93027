package dev.avocet.bench.environment;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The machine, its limits, and the JVM of a run, as names and words for a report. What cannot be learned is left out.
 */
public final class Environment {
    private static final String FILES = "Max open files";

    private Environment() {}

    /** @param arguments the command line of the harness */
    public static Map<String, String> capture(String harnessVersion, List<String> arguments) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("harness", harnessVersion);
        facts.put("arguments", String.join(" ", arguments));
        addMachine(facts);
        addLimits(facts);
        addJvm(facts);
        facts.values().removeIf(String::isEmpty);
        return facts;
    }

    private static void addMachine(Map<String, String> facts) {
        ProcFiles files = new ProcFiles();
        facts.put("host", files.firstLine("/proc/sys/kernel/hostname"));
        facts.put("cpu", files.field("/proc/cpuinfo", "model name"));
        facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("governor", files.firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
        facts.put("memory", files.field("/proc/meminfo", "MemTotal"));
        facts.put("load average", files.firstLine("/proc/loadavg"));
        facts.put(
                "kernel",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
    }

    private static void addLimits(Map<String, String> facts) {
        ProcFiles files = new ProcFiles();
        facts.put("open files", files.columns("/proc/self/limits", FILES));
        facts.put("cpu limit", files.firstLine("/sys/fs/cgroup/cpu.max"));
        facts.put("memory limit", files.firstLine("/sys/fs/cgroup/memory.max"));
        facts.put("local ports", files.firstLine("/proc/sys/net/ipv4/ip_local_port_range"));
        facts.put("tcp rmem", files.firstLine("/proc/sys/net/ipv4/tcp_rmem"));
        facts.put("tcp wmem", files.firstLine("/proc/sys/net/ipv4/tcp_wmem"));
        facts.put("somaxconn", files.firstLine("/proc/sys/net/core/somaxconn"));
    }

    private static void addJvm(Map<String, String> facts) {
        facts.put(
                "jvm",
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ", "
                        + System.getProperty("java.vendor"));
        facts.put(
                "jvm flags",
                String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        facts.put(
                "collectors",
                String.join(
                        ", ",
                        ManagementFactory.getGarbageCollectorMXBeans().stream()
                                .map(bean -> bean.getName())
                                .toList()));
        facts.put("heap", Runtime.getRuntime().maxMemory() / (1024 * 1024) + " MB at most");
    }
}
