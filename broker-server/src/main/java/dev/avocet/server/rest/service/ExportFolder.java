package dev.avocet.server.rest.service;

import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code export} of the data directory, where sealed files come from and go to.
 *
 * @param dataDirectory supplies null when the broker has none
 */
record ExportFolder(Supplier<@Nullable Path> dataDirectory) {
    private static final String NAME = "export";
    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    Path data() throws Refusal {
        Path data = dataDirectory.get();
        if (data == null) {
            throw new Refusal(Code.NOT_IMPLEMENTED, "this broker has no data directory");
        }
        return data;
    }

    /** The file of this name, which may not leave the folder. */
    Path file(String name) throws Refusal {
        if (!FILE.matcher(name).matches()) {
            throw new Refusal(
                    Code.INVALID,
                    ExportBody.FILE_NAME
                            + ": at most 128 letters, digits, dots, hyphens and underscores, and no folder");
        }
        return data().resolve(NAME).resolve(name);
    }

    static Refusal noFile(String name) {
        return new Refusal(Code.NOT_FOUND, "there is no file " + NAME + "/" + name);
    }

    static Refusal fileThere(String name) {
        return new Refusal(Code.IN_USE, ExportBody.FILE_NAME + ": there is a file " + NAME + "/" + name + " already");
    }
}
