package dev.avocet.bench.jms.command;

import dev.avocet.bench.workload.Workload;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A workload by the name that was asked for. {@code SEC} and {@code HA} in names of the family RR say how the broker is
 * reached and change nothing else.
 *
 * @param name in capitals, or the file's
 * @param isSecure the broker is reached through TLS
 */
record NamedWorkload(String name, Workload workload, boolean isSecure) {
    private static final Pattern FAMILY = Pattern.compile("RR\\..*");
    private static final Pattern SECURE = Pattern.compile("RR\\.SEC\\..*");

    static NamedWorkload find(String asked) {
        WorkloadLibrary library = new WorkloadLibrary(JmsBench.class, JmsBench.WORKLOADS);
        if (WorkloadLibrary.isFile(asked)) {
            Workload workload = library.find(asked);
            return new NamedWorkload(String.valueOf(workload.name()), workload, false);
        }
        String name = asked.toUpperCase(Locale.ROOT);
        boolean isFamily = FAMILY.matcher(name).matches();
        boolean isSecure = SECURE.matcher(name).matches();
        String plain = isFamily ? name.replaceFirst("\\.SEC\\.", ".").replaceFirst("\\.HA\\.", ".") : name;
        return new NamedWorkload(name, library.find(plain), isSecure);
    }

    /** Its options at some size, by their names without dashes. */
    Map<String, String> options(double scale) {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> arguments = WorkloadLibrary.arguments(workload, scale);
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            options.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        return options;
    }
}
