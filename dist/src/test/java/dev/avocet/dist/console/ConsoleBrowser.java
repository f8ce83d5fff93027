package dev.avocet.dist.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.testkit.InstalledPrograms;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Chromium without a window, in which the tests of the console do what a user does. It finds no host by name, so that
 * only the broker answers. One thread.
 */
public final class ConsoleBrowser implements AutoCloseable {
    private static final String[] PROGRAMS = {"chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"
    };
    private static final double LONGEST_MS = 20_000;
    /** What Chromium says of each answer with an error's status; the pages say it better. */
    private static final String STATUS = "Failed to load resource: ";

    private final Playwright playwright;
    private final Browser browser;
    private final List<String> complaints = new ArrayList<>();

    private ConsoleBrowser(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Begins; the test is skipped where there is no browser. */
    public static ConsoleBrowser start() {
        String program = InstalledPrograms.onPath(PROGRAMS);
        String node = InstalledPrograms.onPath("node", "nodejs");
        Path driver = Path.of(InstalledPrograms.installed("playwright/package")).resolveSibling("");
        System.setProperty("playwright.cli.dir", driver.toString());
        Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_NODEJS_PATH", node, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        PlaywrightAssertions.setDefaultAssertionTimeout(LONGEST_MS);
        Browser browser = playwright
                .chromium()
                .launch(new LaunchOptions()
                        .setExecutablePath(Path.of(program))
                        .setArgs(List.of(
                                "--no-sandbox",
                                "--disable-gpu",
                                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")));
        return new ConsoleBrowser(playwright, browser);
    }

    /** Opens a page of a broker, as a visitor of whom the broker knows nothing. */
    public Page open(String url, int width, int height) {
        Page page = prepare(url, width, height);
        page.navigate(url);
        return page;
    }

    /** The same before it is opened. */
    public Page prepare(String url, int width, int height) {
        BrowserContext visitor = browser.newContext(new Browser.NewContextOptions().setViewportSize(width, height));
        visitor.setDefaultTimeout(LONGEST_MS);
        Page page = visitor.newPage();
        String host = URI.create(url).getAuthority();
        page.onConsoleMessage(this::hear);
        page.onPageError(error -> complaints.add("error: " + error));
        page.onRequest(request -> {
            if (!host.equals(URI.create(request.url()).getAuthority())) {
                complaints.add("asked another host: " + request.url());
            }
        });
        return page;
    }

    /** Opens a file, as a user does who was sent it; a page that asks anything of a network complains. */
    public Page openFile(Path file, int width, int height) {
        BrowserContext visitor = browser.newContext(new Browser.NewContextOptions().setViewportSize(width, height));
        visitor.setDefaultTimeout(LONGEST_MS);
        Page page = visitor.newPage();
        page.onConsoleMessage(this::hear);
        page.onPageError(error -> complaints.add("error: " + error));
        page.onRequest(request -> {
            if (!request.url().equals(file.toUri().toString()) && !request.url().startsWith("data:")) {
                complaints.add("asked for another file: " + request.url());
            }
        });
        page.navigate(file.toUri().toString());
        return page;
    }

    /** What the pages have complained of, and which other hosts they have asked. */
    public List<String> complaints() {
        return complaints;
    }

    /** Logs in at the page that is open. */
    public static void logIn(Page page, String user, String password) {
        page.getByLabel("User name").fill(user);
        page.getByLabel("Password").fill(password);
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName("Log in").setExact(true))
                .click();
    }

    private void hear(ConsoleMessage message) {
        boolean isComplaint = message.type().equals("error") || message.type().equals("warning");
        if (isComplaint && !message.text().startsWith(STATUS)) {
            complaints.add(message.type() + ": " + message.text());
        }
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
