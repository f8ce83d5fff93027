package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Java the launcher takes and which flags it gives it, with pretended JDKs that print their arguments. */
class LauncherTest {
    /** Of the default profile. */
    private static final String G1 = "-XX:+UseG1GC -XX:G1MixedGCCountTarget=32"
            + " -XX:+UnlockExperimentalVMOptions -XX:G1NewSizePercent=1 -XX:MaxGCPauseMillis=40";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path jdks;

    @Test
    void shouldPreferJavaHomeOverANewerOne() throws IOException, InterruptedException {
        // given
        Path chosen = jdk("chosen", "17.0.15", "");
        jdk("newer", "25.0.1", "");

        // then
        assertThat(run(Map.of("JAVA_HOME", chosen.toString()))).startsWith(chosen + "/bin/java ");
    }

    @Test
    void shouldTakeTheNewestSupportedOneOtherwise() throws IOException, InterruptedException {
        // given
        jdk("a8", "1.8.0_402", "");
        jdk("b21", "21.0.2", "");
        Path newest = jdk("c25", "25", "");
        jdk("d17", "17.0.15", "");
        jdk("e26", "26-ea", "");

        // then
        assertThat(run(Map.of())).startsWith(newest + "/bin/java ");
    }

    @Test
    void shouldSayThatJavaHomeIsTooOldAndLookFurther() throws IOException, InterruptedException {
        // given
        Path old = jdk("old", "11.0.20", "");
        Path good = jdk("good", "17.0.1", "");

        // when
        String output = run(Map.of("JAVA_HOME", old.toString()));

        // then
        assertThat(output)
                .startsWith("broker: JAVA_HOME=" + old + " is no Java 17 to 25; looking for another")
                .contains(good + "/bin/java ");
    }

    @Test
    void shouldTakeJavaFromThePathAsALastResort() throws IOException, InterruptedException {
        // given
        Path found = jdk("elsewhere", "21.0.2", "");
        Path bin = Files.createDirectories(jdks.resolve("path"));
        Files.createSymbolicLink(bin.resolve("java"), found.resolve("bin/java"));

        // when
        String output = run(Map.of("BROKER_JAVA_DIRS", "", "PATH", bin + ":/usr/bin:/bin"));

        // then
        assertThat(output).startsWith(found + "/bin/java ");
    }

    @Test
    void shouldSayThatThereIsNone() throws IOException, InterruptedException {
        // given: a path with the commands that the launcher uses, and no java
        Path bin = Files.createDirectories(jdks.resolve("path"));
        for (String command : new String[] {"sh", "dirname", "readlink", "sed", "head"}) {
            Path real =
                    Files.exists(Path.of("/bin", command)) ? Path.of("/bin", command) : Path.of("/usr/bin", command);
            Files.createSymbolicLink(bin.resolve(command), real);
        }

        try (Launched launched =
                Distribution.launch(Map.of("PATH", bin.toString(), "BROKER_JAVA_DIRS", jdks.toString()), "--help")) {
            assertThat(launched.exitCode()).isEqualTo(2);
            assertThat(launched.output()).startsWith("broker: no Java 17 to 25 found; install one");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "17, '', " + G1,
        "17, throughput, -XX:+UseParallelGC",
        "17, default, " + G1,
        "17, realtime, -XX:+UseShenandoahGC",
        "17, large, -XX:+UseZGC",
        "21, large, -XX:+UseZGC -XX:+ZGenerational",
        "25, throughput, -XX:+UseParallelGC",
        "25, default, " + G1,
        "25, realtime, -XX:+UseShenandoahGC -XX:ShenandoahGCMode=generational",
        "25, large, -XX:+UseZGC",
    })
    void shouldTranslateTheProfileForEachJava(String version, String profile, String flags)
            throws IOException, InterruptedException {
        // given
        jdk("jdk", version, "");

        // when
        String output = profile.isEmpty() ? run(Map.of()) : run(Map.of(), "--gc", profile);

        // then
        assertThat(output).contains("/bin/java -server " + flags + " -XX:InitialRAMPercentage");
        if (!profile.isEmpty()) {
            assertThat(run(Map.of(), "--gc=" + profile)).contains(" " + flags + " -XX:InitialRAM");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "default, -Xgcpolicy:gencon",
        "throughput, -Xgcpolicy:optthruput",
        "metronome, -Xgcpolicy:metronome",
        "large, -Xgcpolicy:balanced"
    })
    void shouldKnowTheCollectorsOfOpenJ9(String profile, String flag) throws IOException, InterruptedException {
        // given
        jdk("semeru", "21.0.2", "Openj9");

        // then
        assertThat(run(Map.of(), "--gc", profile)).contains(" " + flag + " ").doesNotContain("UseG1GC");
    }

    @ParameterizedTest
    @CsvSource({
        "Openj9, metronome, -Xgcpolicy:metronome -Xgc:targetPauseTime=5 -Xgc:targetUtilization=80",
        "Hotspot, throughput, -XX:+UseParallelGC -XX:MaxGCPauseMillis=5 -XX:GCTimeRatio=4",
    })
    void shouldAskTheCollectorForPausesAndUtilisation(String variant, String profile, String flags)
            throws IOException, InterruptedException {
        // given
        Path java = jdk("jdk", "21.0.2", variant);

        // when
        String broker = run(Map.of("BROKER_GC_PAUSE_MS", "5", "BROKER_GC_UTILISATION", "80"), "--gc", profile);

        // then the load generators take the same
        assertThat(broker).contains("/bin/java -server " + flags + " -XX:InitialRAMPercentage");
        Map<String, String> environment =
                Map.of("JAVA_HOME", java.toString(), "BENCH_GC_PAUSE_MS", "5", "BENCH_GC_UTILISATION", "80");
        try (Launched bench = Distribution.launchJmsBench(environment, "run", "--gc=" + profile)) {
            assertThat(bench.output()).contains("/bin/java " + flags + " ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BROKER_GC_UTILISATION, 80, the nearest is --gc throughput",
        "BROKER_GC_PAUSE_MS, 0, a whole number from 1 to 60000",
        "BROKER_GC_PAUSE_MS, 2.5, a whole number from 1 to 60000"
    })
    void shouldRefuseWhatTheCollectorCannotBeAskedFor(String variable, String value, String message)
            throws IOException, InterruptedException {
        // given
        jdk("jdk", "25", "Hotspot");

        // then
        try (Launched launched = launch(Map.of(variable, value))) {
            assertThat(launched.exitCode()).isEqualTo(2);
            assertThat(launched.output()).startsWith("broker: " + variable).contains(message);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "metronome, the nearest is --gc realtime",
        "serial, 'is not one of throughput, default, realtime, large, metronome'"
    })
    void shouldRefuseAProfileThatThisJavaLacks(String profile, String message)
            throws IOException, InterruptedException {
        // given
        jdk("jdk", "25", "Hotspot");

        // then
        try (Launched launched = launch(Map.of(), "--gc", profile)) {
            assertThat(launched.exitCode()).isEqualTo(2);
            assertThat(launched.output()).startsWith("broker: ").contains(message);
        }
    }

    @Test
    void shouldSayThatAJavaHasNoShenandoah() throws IOException, InterruptedException {
        // given
        Path without = jdk("jdk", "25", "");
        Files.writeString(
                without.resolve("bin/java"), "#!/bin/sh\ncase \"$*\" in *Shenandoah*) exit 1;; esac\necho \"$0 $*\"\n");

        // then
        try (Launched launched = launch(Map.of(), "--gc", "realtime")) {
            assertThat(launched.exitCode()).isEqualTo(2);
            assertThat(launched.output()).contains("has no Shenandoah; the nearest is --gc large");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "23"})
    void shouldGiveNoUnsafeFlagsWhereNettyNeedsNone(String version) throws IOException, InterruptedException {
        jdk("jdk", version, "");
        assertThat(run(Map.of())).doesNotContain("unsafe", "noUnsafe").contains("-Dio.netty.allocator.type=pooled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"24", "25"})
    void shouldLetNettyUseUnsafeOnNewJava(String version) throws IOException, InterruptedException {
        jdk("jdk", version, "");
        assertThat(run(Map.of()))
                .contains("-Dio.netty.noUnsafe=false --sun-misc-unsafe-memory-access=allow"
                        + " --enable-native-access=ALL-UNNAMED");
    }

    @ParameterizedTest
    @CsvSource({"17, ''", "25, ''", "17, --help"})
    void shouldGiveWhatTheChronicleJournalNeeds(String version, String option)
            throws IOException, InterruptedException {
        jdk("jdk", version, "");
        assertThat(option.isEmpty() ? run(Map.of()) : run(Map.of(), option))
                .contains("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"
                        + " --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
                        + " --add-opens=java.base/java.lang.reflect=ALL-UNNAMED");
    }

    @Test
    void shouldPutHeapAndCrashFilesWhereTheyAreAskedAndJavaOptsLast() throws IOException, InterruptedException {
        // given
        jdk("jdk", "17", "");
        Path data = jdks.resolve("the data");

        // when
        String output = run(
                Map.of("BROKER_HEAP", "2g", "JAVA_OPTS", "-Xint -Da=b"),
                "--data",
                data.toString(),
                "--store",
                "memory");

        // then
        assertThat(output)
                .contains("-Xms2g -Xmx2g", "-XX:+ExitOnOutOfMemoryError")
                .contains("-XX:HeapDumpPath=" + data, "-XX:ErrorFile=" + data + "/hs_err_pid%p.log")
                .contains(" -Xint -Da=b -cp ")
                .endsWith(" dev.avocet.server.Main --data " + data + " --store memory");
        assertThat(data).isDirectory();
    }

    @Test
    void shouldStartCommandsThatServeNobodyWithSmallFlags() throws IOException, InterruptedException {
        jdk("jdk", "17", "");
        assertThat(run(Map.of(), "store", "stat"))
                .contains("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
                .endsWith(" dev.avocet.server.Main store stat");
    }

    @Test
    void shouldTakeAFolderNamedStoreForNoCommand() throws IOException, InterruptedException {
        jdk("jdk", "17", "");
        Path data = jdks.resolve("store");
        assertThat(run(Map.of(), "--data", data.toString())).contains("-XX:+UseG1GC");
    }

    @ParameterizedTest
    @CsvSource({"17.0.15", "21.0.2", "25.0.1"})
    void shouldKeepTheClassesOfWhatEndsSoonForTheNextStart(String version) throws IOException, InterruptedException {
        // given a JDK that makes an archive of 8 bytes
        Path java = smallJdk(version);
        Path cache = jdks.resolve("cache");
        Map<String, String> environment = Map.of("BROKER_ADMIN_CACHE", cache.toString());

        // when
        assertThat(runAdmin(java, environment)).doesNotContain("SharedArchiveFile");

        // then
        String used = "-XX:SharedArchiveFile=" + cache + "/broker-admin-" + version.substring(0, 2) + "-";
        await().atMost(PATIENCE).until(() -> runAdmin(java, environment).contains(used));
        assertThat(runAdmin(java, environment)).contains("-8.jsa ", "-XX:+VerifySharedSpaces");
        awaitNothingBut(1, cache);

        // and it fits as well when another folder has a link to the same file
        Files.createLink(jdks.resolve("linked"), java.resolve("bin/java"));
        assertThat(runAdmin(java, environment)).contains(used);

        // and one that is not whole is no longer used
        Path archive = archiveIn(cache);
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(archive, "half");
        assertThat(runAdmin(java, environment)).doesNotContain("SharedArchiveFile");
        await().atMost(PATIENCE).until(() -> Files.size(archive) == 8);
        awaitNothingBut(1, cache);
    }

    /** What is made beside the commands is made, and has left nothing else. */
    private static void awaitNothingBut(int archives, Path cache) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            try (Stream<Path> files = Files.list(cache)) {
                assertThat(files)
                        .hasSize(archives)
                        .allMatch(file -> file.toString().endsWith(".jsa"));
            }
        });
    }

    @Test
    void shouldKeepClassesInTheFolderOfTheUserOrNowhere() throws IOException, InterruptedException {
        Path java = smallJdk("25.0.1");
        Path folder = jdks.resolve(".cache/avocet");
        assertThat(runAdmin(java, Map.of("BROKER_ADMIN_CACHE", "off", "HOME", jdks.toString())))
                .doesNotContain("SharedArchive");
        assertThat(folder).doesNotExist();
        assertThat(runAdmin(java, Map.of("BROKER_ADMIN_CACHE", "/dev/null/no"))).doesNotContain("SharedArchive");
        assertThat(runAdmin(java, Map.of())).doesNotContain("SharedArchive");
        await().atMost(PATIENCE)
                .until(() ->
                        runAdmin(java, Map.of("HOME", jdks.toString())).contains("=" + folder + "/broker-admin-25-"));
        awaitNothingBut(1, folder);
    }

    /** Makes what it is asked for, and prints how it was called otherwise. */
    private Path smallJdk(String version) throws IOException {
        Path java = jdk("small", version, "");
        Files.writeString(java.resolve("bin/java"), """
                #!/bin/sh
                for word in "$@"; do
                    case $word in
                        *DumpLoadedClassList=*) printf 'A id: 1\\n@lambda\\n' >"${word#*=}" ;;
                        *SharedArchiveFile=*/preparing.*) printf 'archive\\n' >"${word#*=}" ;;
                    esac
                done
                echo "$0 $*"
                """);
        return java;
    }

    @Test
    void shouldStartWhatEndsSoonWithSmallFlagsInEveryProgram() throws IOException, InterruptedException {
        Map<String, String> environment = Map.of("JAVA_HOME", smallJdk("25.0.1").toString(), "HOME", jdks.toString());
        String small = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        await().atMost(PATIENCE).untilAsserted(() -> {
            try (Launched help = Distribution.launchMqttBench(environment, "run", "--help");
                    Launched list = Distribution.launchJmsBench(environment, "list");
                    Launched run = Distribution.launchMqttBench(environment, "run");
                    Launched version = Distribution.launch(environment, "--version")) {
                assertThat(help.output()).contains(small, "/.cache/avocet/mqttbench-25-");
                assertThat(list.output()).contains(small, "/.cache/avocet/jmsbench-25-");
                assertThat(run.output()).contains("-XX:+UseG1GC").doesNotContain(small, "SharedArchive");
                assertThat(version.output()).contains(small, "/.cache/avocet/broker-command-25-");
            }
        });
        awaitNothingBut(3, jdks.resolve(".cache/avocet"));
    }

    @ParameterizedTest
    @CsvSource({
        "17, -XX:ArchiveClassesAtExit=, -XX:SharedArchiveFile=, jsa",
        "21, -XX:ArchiveClassesAtExit=, -XX:SharedArchiveFile=, jsa",
        "24, -XX:AOTMode=record, -XX:AOTCache=, aot",
        "25, -XX:AOTMode=record, -XX:AOTCache=, aot"
    })
    void shouldPrepareAnArchiveUseItAndThrowOldOnesAway(String version, String made, String used, String suffix)
            throws IOException, InterruptedException {
        // given a JDK that makes a file of whatever it is asked for
        Path java = jdk("jdk", version, "");
        Files.writeString(java.resolve("bin/java"), """
                #!/bin/sh
                for word in "$@"; do
                    case $word in *AtExit=* | *AOTCache=*/preparing.*) echo archive >"${word#*=}" ;; esac
                done
                echo "$0 $*" >>"${0%/*}/ran"
                case " $* " in *AOTMode=create*) ;; *) echo "ready $*" ;; esac
                """);
        Path cache = jdks.resolve("cache");
        Map<String, String> environment = Map.of("BROKER_CACHE", cache.toString(), "BROKER_TRAINING", "none");

        // when
        String before = run(environment);
        String prepared = run(environment, "prepare");
        Path archive = archiveIn(cache);
        String after = run(environment);
        String again = run(environment, "prepare");

        // then
        assertThat(before).contains(" -Davocet.prepare=default ").doesNotContain(used);
        assertThat(prepared).contains("broker: prepared: " + archive);
        assertThat(archive.toString()).endsWith("-8." + suffix);
        assertThat(Files.readString(java.resolve("bin/ran"))).contains(made);
        assertThat(after).contains(used + archive, " -Davocet.archive=default ").doesNotContain("avocet.prepare");
        assertThat(again).contains("nothing to prepare: " + archive);
        assertThat(run(with(environment, "BROKER_CACHE", "off"))).doesNotContain(used, "avocet.prepare");
        assertThat(run(with(environment, "JAVA_OPTS", "-Xshare:off"))).doesNotContain(used, "avocet.prepare");
        assertThat(run(environment, "--gc", "throughput"))
                .contains(" -Davocet.prepare=throughput ")
                .doesNotContain(used);

        // when it is damaged
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(archive, "4rchive\n");
        String mended = run(environment, "prepare");

        // then
        assertThat(mended).contains("broker: prepared: " + archive);
        assertThat(archive).hasContent("archive");

        // when the JDK is another one in the same place
        Files.writeString(java.resolve("bin/java"), "\n", StandardOpenOption.APPEND);
        run(environment, "prepare");

        // then
        assertThat(archiveIn(cache)).isNotEqualTo(archive);

        // when half of the archive is lost
        Files.setPosixFilePermissions(archiveIn(cache), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(archiveIn(cache), "arch");

        // then
        assertThat(run(environment)).doesNotContain(used).contains("avocet.prepare");
    }

    private static Map<String, String> with(Map<String, String> environment, String name, String value) {
        Map<String, String> all = new HashMap<>(environment);
        all.put(name, value);
        return all;
    }

    private static Path archiveIn(Path cache) throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    private static String runAdmin(Path java, Map<String, String> environment)
            throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", java.toString());
        try (Launched launched = Distribution.launchAdmin(all, "queue", "list")) {
            assertThat(launched.exitCode()).as(launched.output()).isZero();
            return launched.output();
        }
    }

    private String run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        try (Launched launched = launch(environment, arguments)) {
            int exitCode = launched.exitCode();
            String output = launched.output();
            assertThat(exitCode).as(output).isZero();
            return output;
        }
    }

    private Launched launch(Map<String, String> environment, String... arguments) throws IOException {
        Map<String, String> all = new HashMap<>();
        all.put("BROKER_JAVA_DIRS", jdks.toString());
        all.putAll(environment);
        return Distribution.launch(all, arguments);
    }

    /** A pretended JDK, whose java prints its own path and its arguments. */
    private Path jdk(String name, String version, String variant) throws IOException {
        Path home = jdks.resolve(name);
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(
                home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\nJVM_VARIANT=\"" + variant + "\"\n");
        Files.writeString(java, "#!/bin/sh\necho \"$0 $*\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }
}
