package dev.avocet.admin.outcome;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why a file cannot be read, in words. */
public final class Unreadable {
    private Unreadable() {}

    public static String why(Path file, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return file + ": there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return file + ": you may not read it";
        }
        return file + ": " + (failure instanceof CharacterCodingException ? "it is not UTF-8" : failure.getMessage());
    }
}
