package dev.avocet.dist.console;

import com.microsoft.playwright.Page;
import dev.avocet.testkit.InstalledPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What axe-core finds in a page that keeps people from reading or using it: its findings that are serious or worse. */
public final class Axe {
    private static final String FIND = """
            async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
              .filter((finding) => finding.impact === 'serious' || finding.impact === 'critical')
              .flatMap((finding) => finding.nodes.map((node) =>
                `${finding.id}: ${node.target.join(' ')}: ${node.failureSummary}`.replaceAll('\\n', ' ')))""";

    private final String script;

    /** Reads it; the test is skipped where it is not installed. */
    public Axe() throws IOException {
        script = Files.readString(Path.of(InstalledPrograms.installed("axe/node_modules/axe-core/axe.min.js")));
    }

    /** A line for each place. */
    public List<String> seriousFindings(Page page) {
        if (Boolean.FALSE.equals(page.evaluate("typeof axe === 'object'"))) {
            page.evaluate("() => { " + script + "\nwindow.axe = axe; }");
        }
        Object found = page.evaluate(FIND);
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }
}
