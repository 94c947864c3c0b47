/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.rds.RdsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.scheduler.SchedulerClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.servicequotas.ServiceQuotasClient;
import software.amazon.awssdk.services.ssm.SsmClient;
import software.amazon.awssdk.services.sts.StsClient;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudListener;

/**
 * The services of AWS in one region: throttling is waited out by the SDK, expired credentials by {@link #call}.
 *
 * <p>For use by one thread at a time.
 */
final class Aws implements AutoCloseable {

    private static final int ATTEMPTS = 8;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final Duration NEW_CREDENTIALS_EVERY = Duration.ofSeconds(15);
    private static final Duration NEW_CREDENTIALS_WITHIN = Duration.ofMinutes(30);
    private static final Set<String> EXPIRED = Set.of("ExpiredToken", "ExpiredTokenException", "RequestExpired");
    private static final Set<String> DENIED = Set.of("AccessDenied", "AccessDeniedException", "UnauthorizedOperation");
    private static final Set<String> UNKNOWN =
            Set.of("InvalidClientTokenId", "AuthFailure", "UnrecognizedClientException", "SignatureDoesNotMatch");

    private final Target target;
    private final String region;
    private final Clock clock;
    private final Pause pause;
    private final CloudListener listener;
    private Clients clients;

    /**
     * Place of calls, and the account that makes them.
     *
     * @param profile a profile of the configuration files
     * @param endpoint the address of an emulator, for all services
     * @param credentials what to use in place of the SDK's default chain
     */
    record Target(Optional<String> profile, Optional<URI> endpoint, Optional<AwsCredentialsProvider> credentials) {

        /** Returns AWS itself with the SDK's default chain. */
        static Target real(Optional<String> profile) {
            return new Target(profile, Optional.empty(), Optional.empty());
        }
    }

    /** The clients of all services. */
    record Clients(
            SdkHttpClient http,
            CloudFormationClient stacks,
            Ec2Client ec2,
            IamClient iam,
            RdsClient rds,
            S3Client objects,
            SchedulerClient schedules,
            SecretsManagerClient secrets,
            ServiceQuotasClient quotas,
            SsmClient parameters,
            StsClient identity) {}

    Aws(Target target, String region, Clock clock, Pause pause, CloudListener listener) {
        this.target = target;
        this.region = region;
        this.clock = clock;
        this.pause = pause;
        this.listener = listener;
        this.clients = connect();
    }

    /** Returns the region of the SDK's default chain. */
    static String defaultRegion(Optional<String> profile) {
        try {
            DefaultAwsRegionProviderChain.Builder chain = DefaultAwsRegionProviderChain.builder();
            profile.ifPresent(chain::profileName);
            return chain.build().getRegion().id();
        } catch (SdkClientException e) {
            // The chain names each place where it looked, and none of ours.
            throw CloudException.usage(
                    List.of("no AWS region is known: set the environment variable AWS_REGION, or name one with"
                            + " --region (aws list, aws teardown), or as region in the file of --aws"));
        }
    }

    private Clients connect() {
        SdkHttpClient http = UrlConnectionHttpClient.builder()
                .connectionTimeout(CONNECT)
                .socketTimeout(ANSWER)
                .build();
        AwsCredentialsProvider credentials = target.credentials().orElseGet(() -> {
            DefaultCredentialsProvider.Builder chain = DefaultCredentialsProvider.builder();
            target.profile().ifPresent(chain::profileName);
            return chain.build();
        });
        return new Clients(
                http,
                with(CloudFormationClient.builder(), http, credentials).build(),
                with(Ec2Client.builder(), http, credentials).build(),
                with(IamClient.builder(), http, credentials).build(),
                with(RdsClient.builder(), http, credentials).build(),
                // A bucket may lie in another region; emulators know no names of buckets in front of their own.
                with(
                                S3Client.builder()
                                        .crossRegionAccessEnabled(
                                                target.endpoint().isEmpty())
                                        .forcePathStyle(target.endpoint().isPresent()),
                                http,
                                credentials)
                        .build(),
                with(SchedulerClient.builder(), http, credentials).build(),
                with(SecretsManagerClient.builder(), http, credentials).build(),
                with(ServiceQuotasClient.builder(), http, credentials).build(),
                with(SsmClient.builder(), http, credentials).build(),
                with(StsClient.builder(), http, credentials).build());
    }

    private <
                    B extends
                            AwsSyncClientBuilder<B, C>
                                    & software.amazon.awssdk.awscore.client.builder.AwsClientBuilder<B, C>,
                    C>
            B with(B builder, SdkHttpClient http, AwsCredentialsProvider credentials) {
        builder.httpClient(http)
                .credentialsProvider(credentials)
                .region(Region.of(region))
                .overrideConfiguration(
                        settings -> settings.retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(ATTEMPTS)
                                .build()));
        target.endpoint().ifPresent(builder::endpointOverride);
        return builder;
    }

    String region() {
        return region;
    }

    Clock clock() {
        return clock;
    }

    Pause pause() {
        return pause;
    }

    CloudListener listener() {
        return listener;
    }

    /**
     * Makes a call. When the credentials have expired it waits for new ones, so that a long run can be brought to its
     * end, and to its removal, after a new login.
     *
     * @param what what the call is for, for messages
     * @throws CloudException with what AWS says, and with a way out where there is one
     */
    <T> T call(String what, Function<Clients, T> call) {
        try {
            return plain(call);
        } catch (SdkException e) {
            throw CloudException.failed(what + ": " + explain(e), e);
        }
    }

    /** Makes a call like {@link #call}, whose errors the caller wants to tell apart. */
    <T> T plain(Function<Clients, T> call) {
        @Nullable Instant since = null;
        while (true) {
            try {
                return call.apply(clients);
            } catch (SdkException e) {
                if (!isExpired(e)) {
                    throw e;
                }
                if (since == null) {
                    since = clock.instant();
                    listener.note(
                            "The AWS credentials have expired. Renew them, e.g. with 'aws sso login'; waiting for "
                                    + NEW_CREDENTIALS_WITHIN.toMinutes() + " min.");
                } else if (Duration.between(since, clock.instant()).compareTo(NEW_CREDENTIALS_WITHIN) > 0) {
                    throw e;
                }
                pause.of(NEW_CREDENTIALS_EVERY);
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                close();
                clients = connect();
            }
        }
    }

    private static boolean isExpired(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof AwsServiceException service && EXPIRED.contains(code(service))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the error code of an answer, or nothing. */
    static String code(AwsServiceException e) {
        return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
                ? ""
                : e.awsErrorDetails().errorCode();
    }

    /** Says in one line what went wrong and what can be done. */
    static String explain(SdkException thrown) {
        if (thrown instanceof AwsServiceException service) {
            String code = code(service);
            String text = service.awsErrorDetails() == null
                            || service.awsErrorDetails().errorMessage() == null
                    ? String.valueOf(service.getMessage())
                    : service.awsErrorDetails().errorMessage();
            String line = (text + " (" + (code.isEmpty() ? "status " + service.statusCode() : code) + ")")
                    .replaceAll("\\s+", " ");
            if (DENIED.contains(code)) {
                return line + "; the permissions that are needed stand in docs/how-to/aws.md";
            }
            if (UNKNOWN.contains(code)) {
                return line + "; AWS does not accept these credentials";
            }
            if (service.isThrottlingException()) {
                return line + "; AWS goes on refusing calls at this rate, try again later";
            }
            return line;
        }
        String text = String.valueOf(thrown.getMessage()).replaceAll("\\s+", " ");
        if (text.toLowerCase(Locale.ROOT).contains("unable to load credentials")) {
            return "no AWS credentials were found in environment, profile, SSO or instance role; log in, or name a"
                    + " profile in the settings file";
        }
        return text;
    }

    @Override
    public void close() {
        clients.stacks().close();
        clients.ec2().close();
        clients.iam().close();
        clients.rds().close();
        clients.objects().close();
        clients.schedules().close();
        clients.secrets().close();
        clients.quotas().close();
        clients.parameters().close();
        clients.identity().close();
        clients.http().close();
    }
}
