package dev.avocet.dist.console;

import com.microsoft.playwright.options.BoundingBox;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * What a page looks like. Two pictures are held against each other by the mean colours of their squares, so that
 * letters of another font, or a text that is a little longer, count for little, and what has moved, is missing, or has
 * another colour for much.
 */
final class Picture {
    private static final int SQUARE = 32;
    /** By how much the mean of a colour may differ, of 255. */
    private static final int SAME = 14;
    /** Of a kept picture: enough for the smooth edges of letters. */
    private static final int MOST_COLOURS = 64;

    private final BufferedImage image;

    private Picture(BufferedImage image) {
        this.image = image;
    }

    static Picture of(byte[] png) throws IOException {
        return new Picture(ImageIO.read(new ByteArrayInputStream(png)));
    }

    static Picture read(Path file) throws IOException {
        return of(Files.readAllBytes(file));
    }

    /**
     * The share of squares that differ, from 0 to 1; 1 when the sizes do.
     *
     * @param moving what is not looked at
     */
    double difference(Picture other, List<BoundingBox> moving) {
        if (image.getWidth() != other.image.getWidth() || image.getHeight() != other.image.getHeight()) {
            return 1;
        }
        int all = 0;
        int different = 0;
        for (int y = 0; y < image.getHeight(); y += SQUARE) {
            for (int x = 0; x < image.getWidth(); x += SQUARE) {
                if (!isMoving(x, y, moving)) {
                    all++;
                    different += isSame(means(x, y), other.means(x, y)) ? 0 : 1;
                }
            }
        }
        return all == 0 ? 0 : (double) different / all;
    }

    private static boolean isMoving(int x, int y, List<BoundingBox> moving) {
        return moving.stream()
                .anyMatch(box ->
                        x < box.x + box.width && x + SQUARE > box.x && y < box.y + box.height && y + SQUARE > box.y);
    }

    private static boolean isSame(int[] one, int[] other) {
        return Math.abs(one[0] - other[0]) <= SAME
                && Math.abs(one[1] - other[1]) <= SAME
                && Math.abs(one[2] - other[2]) <= SAME;
    }

    private int[] means(int left, int top) {
        long[] sums = new long[3];
        int pixels = 0;
        for (int y = top; y < Math.min(top + SQUARE, image.getHeight()); y++) {
            for (int x = left; x < Math.min(left + SQUARE, image.getWidth()); x++) {
                int rgb = image.getRGB(x, y);
                sums[0] += rgb >> 16 & 0xff;
                sums[1] += rgb >> 8 & 0xff;
                sums[2] += rgb & 0xff;
                pixels++;
            }
        }
        return new int[] {(int) (sums[0] / pixels), (int) (sums[1] / pixels), (int) (sums[2] / pixels)};
    }

    /** Writes it with the colours that it has most of, which makes a quarter of the bytes. */
    void write(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            ImageWriteParam smallest = writer.getDefaultWriteParam();
            smallest.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            smallest.setCompressionQuality(0);
            writer.setOutput(out);
            writer.write(null, new IIOImage(withFewColours(), null, null), smallest);
        } finally {
            writer.dispose();
        }
        Files.write(file, bytes.toByteArray());
    }

    private BufferedImage withFewColours() {
        int[] palette = commonest();
        IndexColorModel model = new IndexColorModel(8, palette.length, palette, 0, false, -1, 0);
        BufferedImage few =
                new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
        Map<Integer, Integer> nearest = new HashMap<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int rgb = image.getRGB(x, y) & 0xffffff;
                few.getRaster().setSample(x, y, 0, nearest.computeIfAbsent(rgb, colour -> nearest(colour, palette)));
            }
        }
        return few;
    }

    private int[] commonest() {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                counts.merge(image.getRGB(x, y) & 0xffffff, 1, Integer::sum);
            }
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue().reversed())
                .limit(MOST_COLOURS)
                .mapToInt(Map.Entry::getKey)
                .toArray();
    }

    private static int nearest(int colour, int[] palette) {
        int best = 0;
        for (int i = 1; i < palette.length; i++) {
            if (distance(colour, palette[i]) < distance(colour, palette[best])) {
                best = i;
            }
        }
        return best;
    }

    private static int distance(int one, int other) {
        int red = (one >> 16 & 0xff) - (other >> 16 & 0xff);
        int green = (one >> 8 & 0xff) - (other >> 8 & 0xff);
        int blue = (one & 0xff) - (other & 0xff);
        return red * red + green * green + blue * blue;
    }
}
