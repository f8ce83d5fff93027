package dev.avocet.testkit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jnr.ffi.LibraryLoader;
import jnr.ffi.annotations.In;
import net.openhft.posix.PosixAPI;

/**
 * An ext4 file system in a file, mounted through a loop device, whose power can be cut: what was not forced is gone,
 * and processes that still use it get errors. Needs Linux, root and loop devices; {@link #obstacle} tells what is
 * missing.
 */
public final class LoopDisk implements AutoCloseable {
    private static final int LONGEST_COMMAND_SECONDS = 60;
    private static final int PROBE_BYTES = 8 << 20;
    private static final int FILLING_BYTES = 64 << 10;

    /** {@code EXT4_IOC_SHUTDOWN} of the kernel's {@code ext4.h}: {@code _IOR('X', 125, __u32)}. */
    private static final long SHUTDOWN = 0x8004_587DL;

    /** {@code EXT4_GOING_FLAGS_NOLOGFLUSH}: not even the file system's own journal is written out. */
    private static final int WITHOUT_WRITING = 2;

    private final Path image;
    private final Path mountPoint;

    private LoopDisk(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    /**
     * Creates and mounts one.
     *
     * @param directory where the image and the mount point are created
     * @param sizeBytes of the file system
     */
    public static LoopDisk create(Path directory, long sizeBytes) throws IOException {
        Path image = directory.resolve("disk.image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(sizeBytes);
        }
        run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        LoopDisk disk = new LoopDisk(image, Files.createDirectories(directory.resolve("mounted")));
        disk.mount();
        return disk;
    }

    /** Why this machine cannot do it; empty when it can. */
    public static Optional<String> obstacle() {
        try {
            Path directory = Files.createTempDirectory("loop-disk");
            try (LoopDisk probe = create(directory, PROBE_BYTES)) {
                return Files.isDirectory(probe.path()) ? Optional.empty() : Optional.of("it was not mounted");
            } finally {
                Files.deleteIfExists(directory.resolve("disk.image"));
                Files.deleteIfExists(directory.resolve("mounted"));
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            return Optional.of("cannot mount a loop device: " + e.getMessage());
        }
    }

    /** The root directory of the file system. */
    public Path path() {
        return mountPoint;
    }

    /**
     * Takes every free block, as others on the disk would.
     *
     * @return the file that has them
     */
    public Path fill() throws IOException {
        Path others = mountPoint.resolve("others");
        try (FileChannel channel = FileChannel.open(others, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            int block = FILLING_BYTES;
            while (block > 0) {
                try {
                    channel.write(ByteBuffer.allocate(block));
                    channel.force(false);
                } catch (IOException e) {
                    // As large a piece is not there any more.
                    block /= 2;
                }
            }
        }
        return others;
    }

    /** From here on nothing is written to the disk any more, and everything that was not forced is lost. */
    public void cutPower() throws IOException {
        PosixAPI posix = PosixAPI.posix();
        int descriptor = posix.open(mountPoint.toString(), 0, 0);
        if (descriptor < 0) {
            throw new IOException("cannot open " + mountPoint);
        }
        try {
            CLibrary library = LibraryLoader.create(CLibrary.class).load("c");
            if (library.ioctl(descriptor, SHUTDOWN, new int[] {WITHOUT_WRITING}) != 0) {
                throw new IOException("the file system on " + mountPoint + " cannot be shut down");
            }
        } finally {
            posix.close(descriptor);
        }
    }

    /** Mounts it again; it must not be in use any more. */
    public void restart() throws IOException {
        unmount();
        mount();
    }

    @Override
    public void close() throws IOException {
        unmount();
        Files.delete(image);
    }

    private void mount() throws IOException {
        run("mount", "-t", "ext4", "-o", "loop", image.toString(), mountPoint.toString());
    }

    private void unmount() throws IOException {
        run("umount", mountPoint.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(LONGEST_COMMAND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command[0] + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + command[0], e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(command[0] + " says: " + output.strip());
        }
    }

    /** The one function of the C library that Chronicle's own access to it lacks. Must be public for the loader. */
    public interface CLibrary {
        /** Does something to what a file descriptor stands for. */
        int ioctl(int descriptor, long request, @In int[] argument);
    }
}
