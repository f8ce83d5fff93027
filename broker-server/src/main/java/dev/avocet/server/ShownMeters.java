package dev.avocet.server;

import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.MeterScope;
import dev.avocet.server.broker.RunningBroker;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has the administration show the metrics of the process, and those of its instance while there is one; whichever of
 * the three is there first. Any thread.
 */
final class ShownMeters {
    private List<MeterBinder> ofProcess = List.of();
    private @Nullable AdminServer server;
    private @Nullable RunningBroker instance;
    private @Nullable MeterScope shown;

    /** @param meters shown as long as the process runs; given before the administration is */
    synchronized void ofProcess(List<MeterBinder> meters) {
        ofProcess = List.copyOf(meters);
    }

    /** Of the pair; they are shown as long as the process runs, too. */
    synchronized void ofPair(MeterBinder meters) {
        List<MeterBinder> all = new ArrayList<>(ofProcess);
        all.add(meters);
        ofProcess(all);
        if (server != null) {
            server.bind(meters);
        }
    }

    synchronized void showIn(AdminServer started) {
        server = started;
        ofProcess.forEach(started::bind);
        show();
    }

    /** @param present null while there is none */
    synchronized void ofInstance(@Nullable RunningBroker present) {
        if (shown != null) {
            shown.close();
            shown = null;
        }
        instance = present;
        show();
    }

    private void show() {
        if (server != null && instance != null) {
            shown = server.bindWhileOpen(instance.meters());
        }
    }
}
