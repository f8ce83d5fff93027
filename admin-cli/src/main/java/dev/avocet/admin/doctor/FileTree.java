package dev.avocet.admin.doctor;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.SortedMap;
import java.util.TreeMap;

/** The files of a directory while the broker writes and deletes there. */
final class FileTree {
    private FileTree() {}

    /**
     * All regular files down to a depth, in order of their names, with their attributes; a file that vanishes during
     * the walk is left out.
     */
    static SortedMap<Path, BasicFileAttributes> below(Path directory, int depth) throws IOException {
        SortedMap<Path, BasicFileAttributes> found = new TreeMap<>();
        Files.walkFileTree(directory, EnumSet.noneOf(FileVisitOption.class), depth, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    found.put(file, attributes);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return found;
    }
}
