package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and certificates on the command line. */
class FileCommandTest {
    @TempDir
    private Path folder;

    private RecordedApi api;
    private Shell shell;
    private String certificate;
    private String key;

    @BeforeEach
    void start() throws IOException {
        api = new RecordedApi();
        api.answering("GET /api/v1/file", "200 {\"File\": {}}");
        api.answering("GET /api/v1/configuration/CertificateProfile", "200 {\"CertificateProfile\": {}}");
        api.answering("GET /api/v1/configuration/TrustedCertificate", "200 {\"TrustedCertificate\": {}}");
        shell = new Shell(api.url());
        certificate = Files.writeString(folder.resolve("cert.pem"), "C").toString();
        key = Files.writeString(folder.resolve("key.pem"), "K").toString();
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void shouldUploadListAndDelete() {
        // given
        api.answering(
                "GET /api/v1/file",
                "200 {\"File\": {\"cert.pem\": {\"SizeBytes\": 1, \"Modified\": \"now\", \"UsedBy\": [\"a\", \"b\"],"
                        + " \"Kind\": \"Certificate\", \"ExpirationDate\": \"then\"}}}");

        // then
        assertThat(shell.run("file", "put", certificate)).isZero();
        assertThat(shell.run("file", "put", certificate, "--name", "other.pem")).isZero();
        assertThat(shell.run("file", "list", "-o", "csv")).isZero();
        assertThat(shell.out()).contains("cert.pem,Certificate,then,1,now,\"a,b\"");
        assertThat(shell.run("file", "delete", "other.pem")).isZero();
        assertThat(shell.run("file", "put", folder.resolve("none").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("there is no such file");
        assertThat(api.requests())
                .containsSubsequence(
                        "PUT /api/v1/file/cert.pem C", "PUT /api/v1/file/other.pem C", "DELETE /api/v1/file/other.pem");
    }

    @Test
    void shouldUploadWhatAProfileNamesAndIsHere() {
        // when
        int code = shell.run("certificate-profile", "create", "web", "--certificate", certificate, "--key", key);

        // then
        assertThat(code).as(shell.err()).isZero();
        assertThat(api.requests())
                .containsSubsequence(
                        "PUT /api/v1/file/cert.pem C",
                        "PUT /api/v1/file/key.pem K",
                        "POST /api/v1/configuration {\"CertificateProfile\":{\"web\":{\"Certificate\":\"cert.pem\","
                                + "\"Key\":\"key.pem\"}}}");
    }

    @Test
    void shouldLeaveAloneWhatAnotherProfileUses() {
        // given
        api.answering(
                "GET /api/v1/file", "200 {\"File\": {\"cert.pem\": {\"UsedBy\": [\"CertificateProfile 'mail'\"]}}}");

        // when
        int code = shell.run("certificate-profile", "create", "web", "--certificate", certificate, "--key", key);

        // then
        assertThat(code).isEqualTo(ExitCode.CONFLICT);
        assertThat(shell.err()).contains("CertificateProfile 'mail'", "--name");
        assertThat(api.requests()).noneMatch(request -> request.startsWith("PUT"));
    }

    @Test
    void shouldNameATrustedCertificateByItsFile() {
        // when
        int code = shell.run("trusted-certificate", "create", certificate, "--security-profile-name", "p");

        // then
        assertThat(code).as(shell.err()).isZero();
        assertThat(api.requests())
                .containsSubsequence(
                        "PUT /api/v1/file/cert.pem C",
                        "POST /api/v1/configuration {\"TrustedCertificate\":{\"cert.pem\":{\"SecurityProfileName\":\"p\"}}}");
    }

    @Test
    void shouldApplyCertificatesAsMessageSightOneDoes() {
        // then
        assertThat(shell.run(
                        "imaserver",
                        "apply",
                        "Certificate",
                        "Type=Server",
                        "CertFileName=" + certificate,
                        "KeyFileName=" + key))
                .isZero();
        assertThat(shell.run(
                        "imaserver",
                        "apply",
                        "Certificate",
                        "Type=Client",
                        "CertificateName=" + certificate,
                        "SecurityProfileName=p"))
                .isZero();
        assertThat(shell.run("imaserver", "apply", "Certificate", "Type=MQ")).isEqualTo(ExitCode.USAGE);
        assertThat(shell.run("imaserver", "apply", "Plugin", "Type=Server")).isEqualTo(ExitCode.USAGE);
        assertThat(api.requests())
                .containsExactly(
                        "PUT /api/v1/file/cert.pem C",
                        "PUT /api/v1/file/key.pem K",
                        "PUT /api/v1/file/cert.pem C",
                        "POST /api/v1/configuration {\"ClientCertificate\":{\"cert.pem\":{\"SecurityProfileName\":\"p\"}}}");
    }
}
