package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/** Curves over common axes, as SVG. */
final class LinePlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 260;
    private static final int LEFT = 70;
    private static final int BOTTOM = 30;
    private static final int TOP = 10;
    private static final int RIGHT = 10;
    private static final List<String> COLOURS = List.of(
            "#1f6feb", "#d1480f", "#2a9d4a", "#8b3fd0", "#b08800", "#666666", "#c2185b", "#00838f", "#6d4c41",
            "#283593");

    private record Point(double x, double y) {}

    private record Curve(String name, List<Point> points) {}

    /** A time, of one pixel at least, in which something happened. */
    private record Band(double from, double to, String colour, String text) {}

    /** A mark of an axis. */
    record Tick(double at, String text) {}

    private final String title;
    private final DoubleUnaryOperator xScale;
    private final DoubleUnaryOperator yScale;
    private final List<Curve> curves = new ArrayList<>();
    private final List<Point> included = new ArrayList<>();
    private final List<Band> bands = new ArrayList<>();
    private final List<Tick> xTicks = new ArrayList<>();
    private final List<Tick> yTicks = new ArrayList<>();

    /** @param xScale what places an x, such as a logarithm; so does {@code yScale} for a y */
    LinePlot(String title, DoubleUnaryOperator xScale, DoubleUnaryOperator yScale) {
        this.title = title;
        this.xScale = xScale;
        this.yScale = yScale;
    }

    /** Begins a curve; what is added next is of it. */
    void curve(String name) {
        curves.add(new Curve(name, new ArrayList<>()));
    }

    void add(double x, double y) {
        curves.get(curves.size() - 1).points.add(new Point(xScale.applyAsDouble(x), yScale.applyAsDouble(y)));
    }

    /** The axes reach this point, whether a curve does or not. */
    void include(double x, double y) {
        included.add(new Point(xScale.applyAsDouble(x), yScale.applyAsDouble(y)));
    }

    /** Marks a part of the x axis behind the curves; the text is shown when it is pointed at. */
    void band(double fromX, double toX, String colour, String text) {
        bands.add(new Band(xScale.applyAsDouble(fromX), xScale.applyAsDouble(toX), colour, text));
    }

    void xTick(double at, String text) {
        xTicks.add(new Tick(xScale.applyAsDouble(at), text));
    }

    void yTick(double at, String text) {
        yTicks.add(new Tick(yScale.applyAsDouble(at), text));
    }

    boolean isEmpty() {
        return curves.stream().allMatch(curve -> curve.points.isEmpty());
    }

    String svg() {
        double minX = bound(true, true);
        double maxX = Math.max(minX + 1e-9, bound(true, false));
        double minY = bound(false, true);
        double maxY = Math.max(minY + 1e-9, bound(false, false));
        StringBuilder out = new StringBuilder();
        out.append(String.format(
                ROOT,
                "<figure><figcaption>%s</figcaption>%s<svg viewBox=\"0 0 %d %d\">%n",
                Html.escape(title),
                legend(),
                WIDTH,
                HEIGHT));
        for (Tick tick : xTicks) {
            if (tick.at >= minX && tick.at <= maxX) {
                double x = x(tick.at, minX, maxX);
                line(out, x, TOP, x, HEIGHT - BOTTOM);
                text(out, x, HEIGHT - BOTTOM + 16, x > WIDTH - LEFT / 2.0 ? "end" : "middle", tick.text);
            }
        }
        for (Tick tick : yTicks) {
            if (tick.at >= minY && tick.at <= maxY) {
                double y = y(tick.at, minY, maxY);
                line(out, LEFT, y, WIDTH - RIGHT, y);
                text(out, LEFT - 6, y + 4, "end", tick.text);
            }
        }
        for (Band band : bands) {
            if (band.to >= minX && band.from <= maxX) {
                double x = x(Math.max(minX, band.from), minX, maxX);
                band(out, x, x(Math.min(maxX, band.to), minX, maxX) - x, band);
            }
        }
        for (int i = 0; i < curves.size(); i++) {
            curve(out, i, minX, maxX, minY, maxY);
        }
        return out.append("</svg></figure>\n").toString();
    }

    private void curve(StringBuilder out, int index, double minX, double maxX, double minY, double maxY) {
        Curve curve = curves.get(index);
        out.append("<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"")
                .append(colour(index))
                .append("\" points=\"");
        for (Point point : curve.points) {
            out.append(String.format(ROOT, "%.1f,%.1f ", x(point.x, minX, maxX), y(point.y, minY, maxY)));
        }
        out.append("\"/>\n");
    }

    /** Above the plot, where no curve runs through it. */
    private String legend() {
        StringBuilder out = new StringBuilder("<p>");
        for (int i = 0; i < curves.size(); i++) {
            out.append(String.format(
                    ROOT, "<span style=\"color:%s\">%s</span> ", colour(i), Html.escape(curves.get(i).name)));
        }
        return out.append("</p>").toString();
    }

    private static String colour(int curve) {
        return COLOURS.get(curve % COLOURS.size());
    }

    private static void band(StringBuilder out, double x, double width, Band band) {
        out.append(String.format(
                ROOT,
                "<rect class=\"pause\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" fill-opacity=\"0.4\">"
                        + "<title>%s</title></rect>%n",
                x,
                TOP,
                Math.max(1, width),
                HEIGHT - BOTTOM - TOP,
                band.colour,
                Html.escape(band.text)));
    }

    private static void line(StringBuilder out, double x1, double y1, double x2, double y2) {
        out.append(String.format(
                ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n", x1, y1, x2, y2));
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String text) {
        out.append(String.format(
                ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, Html.escape(text)));
    }

    private double bound(boolean isX, boolean isLeast) {
        double[] values = Stream.concat(included.stream(), curves.stream().flatMap(curve -> curve.points.stream()))
                .mapToDouble(point -> isX ? point.x : point.y)
                .sorted()
                .toArray();
        return values.length == 0 ? 0 : values[isLeast ? 0 : values.length - 1];
    }

    private static double x(double at, double min, double max) {
        return LEFT + (at - min) / (max - min) * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double at, double min, double max) {
        return HEIGHT - BOTTOM - (at - min) / (max - min) * (HEIGHT - BOTTOM - TOP);
    }
}
