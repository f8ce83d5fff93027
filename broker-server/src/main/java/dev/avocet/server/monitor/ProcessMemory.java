package dev.avocet.server.monitor;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the process takes of the machine's memory.
 *
 * @param virtualBytes of its address space; 0 where the operating system does not tell
 * @param residentBytes of the machine's memory; 0 where the operating system does not tell
 * @param networkBytes buffers for what is received and sent
 */
record ProcessMemory(long virtualBytes, long residentBytes, long networkBytes) {
    private static final Path STATUS = Path.of("/proc/self/status");

    static ProcessMemory now() {
        List<String> lines = lines();
        return new ProcessMemory(bytes("VmSize:", lines), bytes("VmRSS:", lines), network());
    }

    private static List<String> lines() {
        try {
            return Files.exists(STATUS) ? Files.readAllLines(STATUS) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static long bytes(String name, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(0);
    }

    private static long network() {
        return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider
                ? provider.metric().usedDirectMemory() + provider.metric().usedHeapMemory()
                : 0;
    }
}
