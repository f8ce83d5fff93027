package dev.avocet.bench.run;

import java.util.List;
import java.util.Map;

/** Looks at the server's own figures before and after a run. Called by the thread that runs. */
public interface Inspection {
    /** Looks at nothing. */
    Inspection NONE = new Inspection() {
        @Override
        public void begin() {
            // There is nothing to look at.
        }

        @Override
        public Findings end() {
            return new Findings(Map.of(), List.of());
        }
    };

    /**
     * What was found.
     *
     * @param counts by what they are about, and what they count
     * @param faults of the server, in words
     */
    record Findings(Map<String, Map<String, Long>> counts, List<String> faults) {}

    /** Before the first client connects. */
    void begin();

    /** When everything has come that would, and the clients are still there. */
    Findings end();
}
