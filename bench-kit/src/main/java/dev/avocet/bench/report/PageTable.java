package dev.avocet.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A table of the page. On a phone each of its rows stands for itself, with the titles beside the cells. */
final class PageTable {
    /**
     * A cell.
     *
     * @param tone a class of the style, or empty
     * @param small what stands below in small letters, or empty
     */
    record Cell(String text, String tone, String small) {
        Cell(String text, String tone) {
            this(text, tone, "");
        }
    }

    private final List<String> titles;
    private final List<List<Cell>> rows = new ArrayList<>();
    private final boolean areNumbers;

    /** @param areNumbers whether all columns but the first hold numbers */
    PageTable(boolean areNumbers, List<String> titles) {
        this.areNumbers = areNumbers;
        this.titles = List.copyOf(titles);
    }

    static Cell cell(String text) {
        return new Cell(text, "");
    }

    PageTable row(List<Cell> cells) {
        rows.add(List.copyOf(cells));
        return this;
    }

    PageTable row(String... texts) {
        return row(List.of(texts).stream().map(PageTable::cell).toList());
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    void addTo(Markup page, String label) {
        page.open("div", "class", "card table-card", "role", "region", "aria-label", label, "tabindex", "0")
                .open("table")
                .open("thead")
                .open("tr");
        for (int i = 0; i < titles.size(); i++) {
            page.element("th", titles.get(i), "scope", "col", "class", kind(i));
        }
        page.close("tr").close("thead").open("tbody");
        for (List<Cell> row : rows) {
            page.open("tr");
            for (int i = 0; i < row.size(); i++) {
                Cell cell = row.get(i);
                page.open("td", "class", kind(i), "data-title", titles.get(i));
                if (cell.tone.isEmpty()) {
                    page.text(cell.text);
                } else {
                    page.element("span", cell.text, "class", "state " + cell.tone);
                }
                if (!cell.small.isEmpty()) {
                    page.element("div", cell.small, "class", "tile-small");
                }
                page.close("td");
            }
            page.close("tr");
        }
        page.close("tbody").close("table").close("div");
    }

    private String kind(int column) {
        return areNumbers && column > 0 ? "is-number" : "";
    }
}
