package dev.avocet.bench.agent;

import dev.avocet.bench.part.Tool;
import java.util.ArrayList;
import java.util.List;

/** Options of a command line, each for the harnesses that know it. */
record SplitOptions(List<String> mqtt, List<String> jms) {
    private static final String FOR_MQTT = "--mqtt:";
    private static final String FOR_JMS = "--jms:";

    /** @throws IllegalArgumentException if no harness knows one */
    static SplitOptions of(List<String> arguments, Tool mqtt, Tool jms) {
        SplitOptions split = new SplitOptions(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < arguments.size(); ) {
            List<String> words = new ArrayList<>(List.of(arguments.get(i++)));
            while (i < arguments.size() && !arguments.get(i).startsWith("-")) {
                words.add(arguments.get(i++));
            }
            split.add(words, mqtt, jms);
        }
        return split;
    }

    private void add(List<String> words, Tool mqttTool, Tool jmsTool) {
        String first = words.get(0);
        if (first.startsWith(FOR_MQTT) || first.startsWith(FOR_JMS)) {
            boolean isMqtt = first.startsWith(FOR_MQTT);
            words.set(0, "--" + first.substring(isMqtt ? FOR_MQTT.length() : FOR_JMS.length()));
            (isMqtt ? mqtt : jms).addAll(words);
            return;
        }
        String option = first.replaceFirst("=.*", "");
        boolean isKnown = mqttTool.knows(option) || jmsTool.knows(option);
        if (!isKnown || !first.startsWith("-")) {
            throw new IllegalArgumentException("neither mqttbench nor jmsbench has an option " + option);
        }
        if (mqttTool.knows(option)) {
            mqtt.addAll(words);
        }
        if (jmsTool.knows(option)) {
            jms.addAll(words);
        }
    }
}
