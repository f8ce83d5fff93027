package dev.avocet.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.avocet.testkit.InstalledPrograms;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

/** Chromium without a window, that finds no host: what a page looks like in it, and what the page complains of. */
final class Browser {
    private static final String[] PROGRAMS = {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
    };
    private static final int LONGEST_S = 50;

    private final String program;
    private final Path folder;

    /** @param complaints what the page wrote to its console */
    record Sight(BufferedImage image, List<String> complaints) {
        /** How many pixels have about that colour. */
        long pixels(int colour) {
            long pixels = 0;
            for (int y = 0; y < image.getHeight(); y++) {
                for (int x = 0; x < image.getWidth(); x++) {
                    pixels += isNear(image.getRGB(x, y), colour) ? 1 : 0;
                }
            }
            return pixels;
        }

        private static boolean isNear(int one, int other) {
            return Math.abs((one >> 16 & 0xff) - (other >> 16 & 0xff)) < 12
                    && Math.abs((one >> 8 & 0xff) - (other >> 8 & 0xff)) < 12
                    && Math.abs((one & 0xff) - (other & 0xff)) < 12;
        }
    }

    /** @param folder for its profile and pictures */
    Browser(Path folder) {
        this.folder = folder;
        program = InstalledPrograms.onPath(PROGRAMS);
    }

    /** Opens a file as a user does who was sent it. */
    Sight open(Path page) throws IOException, InterruptedException {
        Path picture = folder.resolve("picture.png");
        Path log = folder.resolve("browser.log");
        Process process = new ProcessBuilder(
                        program,
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--force-color-profile=srgb",
                        "--host-resolver-rules=MAP * ~NOTFOUND",
                        "--enable-logging=stderr",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=1040,4000",
                        "--screenshot=" + picture,
                        page.toUri().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
                throw new AssertionError("the browser does not end: " + Files.readString(log, UTF_8));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
        String printed = Files.readString(log, UTF_8);
        if (!Files.exists(picture)) {
            throw new AssertionError("the browser drew nothing: " + printed);
        }
        List<String> complaints = Arrays.stream(printed.split("\n", -1))
                .filter(line -> line.contains("CONSOLE"))
                .toList();
        return new Sight(ImageIO.read(picture.toFile()), complaints);
    }
}
