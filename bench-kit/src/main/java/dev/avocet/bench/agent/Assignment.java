package dev.avocet.bench.agent;

import dev.avocet.bench.part.Work.Outline;
import java.util.List;
import java.util.Map;

/**
 * A run that is to be dealt out.
 *
 * @param tool what the result says
 * @param outline of the first of the tasks
 * @param environment of the controller
 */
public record Assignment(
        String tool,
        List<Task> tasks,
        Outline outline,
        Map<String, String> settings,
        Map<String, String> environment) {}
