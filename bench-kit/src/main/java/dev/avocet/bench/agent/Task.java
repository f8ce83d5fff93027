package dev.avocet.bench.agent;

import java.util.List;

/**
 * What one harness is to do in a run.
 *
 * @param options as its command line has them
 * @param sends whether its senders take part
 * @param receives whether its receivers take part
 */
public record Task(String tool, List<String> options, boolean sends, boolean receives) {
    public Task {
        options = List.copyOf(options);
    }
}
