package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.avocet.testkit.InstalledPrograms;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ships beside the broker for systemd, containers and Kubernetes, as the tools that read it see it. */
final class ServiceFilesTest {
    private static final Path HOME = Distribution.HOME;
    private static final Map<String, Class<?>> KINDS =
            Map.of("Service", Service.class, "StatefulSet", StatefulSet.class);
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory())
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true)
            .setAnnotationIntrospector(new Strict());

    @TempDir
    private Path directory;

    @Test
    void shouldLeaveSystemdNothingToComplainOf() throws Exception {
        // given
        String analyze = InstalledPrograms.onPath("systemd-analyze");
        String unit = Files.readString(HOME.resolve("systemd/avocet.service"));
        Path installed =
                Files.writeString(directory.resolve("avocet.service"), unit.replace("/opt/avocet/", HOME + "/"));

        // when, then
        assertThat(outputOf(analyze, "verify", "--man=no", "--recursive-errors=no", installed.toString()))
                .isEmpty();
    }

    @Test
    void shouldLeaveHadolintNothingToComplainOf() throws Exception {
        // given
        String hadolint = InstalledPrograms.installed("lint/bin/hadolint");

        // when, then
        assertThat(outputOf(hadolint, HOME.resolve("container/Dockerfile").toString()))
                .isEmpty();
    }

    @Test
    void shouldHaveManifestsOfWhichKubernetesKnowsEachField() throws IOException {
        // when
        List<Object> objects = manifests();

        // then
        assertThat(objects).hasExactlyElementsOfTypes(Service.class, StatefulSet.class);
    }

    @Test
    void shouldMountOnlyVolumesThatAreThere() throws IOException {
        // given
        StatefulSet set = (StatefulSet) manifests().get(1);
        PodSpec pod = set.getSpec().getTemplate().getSpec();
        List<String> volumes = Stream.concat(
                        pod.getVolumes().stream().map(volume -> volume.getName()),
                        set.getSpec().getVolumeClaimTemplates().stream()
                                .map(claim -> claim.getMetadata().getName()))
                .toList();

        // when, then
        for (Container container : Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
                .toList()) {
            assertThat(container.getVolumeMounts()).isNotEmpty().allMatch(mount -> volumes.contains(mount.getName()));
            assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                    .isTrue();
        }
    }

    private static List<Object> manifests() throws IOException {
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(Files.readString(HOME.resolve("kubernetes/avocet.yaml")))) {
            return documents.readAll().stream()
                    .<Object>map(document -> YAML.convertValue(
                            document,
                            Objects.requireNonNull(
                                    KINDS.get(document.get("kind").asText()))))
                    .toList();
        }
    }

    private static String outputOf(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    /** Has the classes of the model refuse the fields that they would otherwise keep aside. */
    private static final class Strict extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }
}
