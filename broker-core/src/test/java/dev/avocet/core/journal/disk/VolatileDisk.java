package dev.avocet.core.journal.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The real disk, which can say what it might hold had the power been lost now, also of files that are mapped into
 * memory: of each page that was written since its file was forced the old or the new content, and of the changes of
 * names since their directory was forced the first ones. Any thread.
 */
public final class VolatileDisk extends ForwardingStorage {
    private static final int PAGE_BYTES = 4096;

    private final Map<Path, byte[]> forced = new TreeMap<>();
    private final Deque<Undo> names = new ArrayDeque<>();
    private final List<Watched> open = new ArrayList<>();
    private final Runnable beforeChange;

    public VolatileDisk() {
        this(() -> {});
    }

    /** @param beforeChange runs before each force and each change of a name */
    public VolatileDisk(Runnable beforeChange) {
        this.beforeChange = beforeChange;
    }

    @Override
    public StorageFile create(Path file) throws IOException {
        StorageFile created = super.create(file);
        noteName(files -> files.remove(file));
        return watched(created, file);
    }

    @Override
    public StorageFile open(Path file) throws IOException {
        return watched(super.open(file), file);
    }

    private synchronized StorageFile watched(StorageFile opened, Path path) {
        Watched watched = new Watched(opened, path);
        open.removeIf(other -> other.path.equals(path));
        open.add(watched);
        return watched;
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        beforeChange.run();
        super.rename(from, to);
        renamed(from, to);
    }

    private synchronized void renamed(Path from, Path to) {
        byte[] content = forced.remove(from);
        if (content != null) {
            forced.put(to, content);
        }
        open.stream().filter(file -> file.path.equals(from)).forEach(file -> file.path = to);
        noteName(files -> {
            byte[] moved = files.remove(to);
            if (moved != null) {
                files.put(from, moved);
            }
        });
    }

    @Override
    public void delete(Path file) throws IOException {
        beforeChange.run();
        byte[] content = Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
        super.delete(file);
        if (content != null) {
            noteName(files -> files.put(file, content));
        }
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        beforeChange.run();
        super.forceDirectory(directory);
        forgetNames();
    }

    private synchronized void noteForced(Path file) throws IOException {
        if (Files.exists(file)) {
            forced.put(file, Files.readAllBytes(file));
        }
    }

    private synchronized void noteName(Undo undo) {
        names.addLast(undo);
    }

    private synchronized void forgetNames() {
        names.clear();
    }

    /** All that a directory holds is on the disk. */
    public synchronized void forceAll(Path directory) throws IOException {
        forced.putAll(filesIn(directory));
        names.clear();
    }

    /** Writes what may be left of a directory if the power goes now into another one. */
    public synchronized void losePower(SplittableRandom random, Path directory, Path target) throws IOException {
        Map<Path, byte[]> left = filesIn(directory);
        left.replaceAll((file, present) -> page(random, forced.getOrDefault(file, new byte[0]), present));
        Deque<Undo> undone = new ArrayDeque<>(names);
        for (int lost = random.nextInt(undone.size() + 1); lost > 0; lost--) {
            undone.removeLast().in(left);
        }
        Files.createDirectories(target);
        for (Map.Entry<Path, byte[]> file : left.entrySet()) {
            Path copy = target.resolve(directory.relativize(file.getKey()));
            Files.createDirectories(copy.getParent());
            Files.write(copy, file.getValue());
        }
    }

    private static byte[] page(SplittableRandom random, byte[] before, byte[] present) {
        byte[] left = present.clone();
        for (int from = 0; from < left.length; from += PAGE_BYTES) {
            int until = Math.min(left.length, from + PAGE_BYTES);
            byte[] old = new byte[until - from];
            int known = Math.max(0, Math.min(before.length, until) - from);
            System.arraycopy(before, Math.min(before.length, from), old, 0, known);
            if (!Arrays.equals(old, 0, old.length, left, from, until) && random.nextBoolean()) {
                System.arraycopy(old, 0, left, from, old.length);
            }
        }
        return left;
    }

    private static Map<Path, byte[]> filesIn(Path directory) throws IOException {
        Map<Path, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> found = all.filter(Files::isRegularFile).toList();
            for (Path file : found) {
                files.put(file, Files.readAllBytes(file));
            }
        }
        return files;
    }

    /** A file, under whatever name it has now. */
    private final class Watched extends ForwardingFile {
        private volatile Path path;

        Watched(StorageFile opened, Path path) {
            super(opened);
            this.path = path;
        }

        @Override
        public void force(boolean metadata) throws IOException {
            beforeChange.run();
            super.force(metadata);
            noteForced(path);
        }
    }

    /** Takes a change of a name back. */
    private interface Undo {
        void in(Map<Path, byte[]> files);
    }
}
