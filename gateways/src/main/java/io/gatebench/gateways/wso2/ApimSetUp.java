/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatebench.spi.role.RoleStartException;

/**
 * Sets up the APIs of the scenarios, an application and its subscriptions, and removes them again.
 *
 * <p>Every step first looks for what an earlier run has left and takes it up, so that a set-up that stopped in the
 * middle goes on where it stopped. Everything bears the suite's own names; nothing else is touched.
 */
final class ApimSetUp {

    private final ApimRest rest;
    private final ApimPublisher publisher;
    private final ApimPortal portal;
    private final boolean passing;
    private final List<String> done = new ArrayList<>();

    /**
     * Creates a set-up.
     *
     * @param searchPause the pause between two looks for what the server says exists but does not list yet
     * @param passing whether the server and all that is set up in it are removed after the run
     */
    ApimSetUp(ApimRest rest, Duration searchPause, boolean passing) {
        this.rest = rest;
        this.passing = passing;
        this.publisher = new ApimPublisher(rest, searchPause);
        this.portal = new ApimPortal(rest);
    }

    /**
     * Makes what is not there yet and brings what is there to this back end.
     *
     * @throws RoleStartException that says which step failed, what the server answered, what was made before, and how
     *     to clean up
     */
    ApimApplication ensure(List<ApimApi> apis, URI backend) {
        try {
            rest.open();
            Map<ApimApi, String> ids = new LinkedHashMap<>();
            for (ApimApi api : apis) {
                ids.put(api, publisher.ensure(api, backend, id -> done.add("API " + api.apiName() + " (" + id + ")")));
            }
            String application = portal.ensureApplication();
            done.add("application " + ApimPortal.APPLICATION + " (" + application + ")");
            ApimApplication keys = portal.ensureKeys(application);
            ids.forEach((api, id) -> {
                portal.ensureSubscription(application, id, api);
                done.add("subscription to " + api.apiName());
            });
            return keys;
        } catch (RestFailure e) {
            throw new RoleStartException("the set-up of API Manager stopped: " + e.getMessage() + ". "
                    + (done.isEmpty() ? "Nothing was there or made before" : "In place: " + String.join(", ", done))
                    + ". To go on, mend the cause and run the same command again"
                    + (passing
                            ? ". There is nothing to clean up: the gateway ran from a copy of the pack, which is removed"
                                    + " after the run with all that was made"
                            : ": it takes up what is in place. To clean up by hand, " + byHand()));
        }
    }

    /** Removes what {@link #ensure} makes, also that of an earlier run. */
    void remove() {
        try {
            rest.open();
            // An API with subscriptions cannot be removed.
            portal.remove();
            publisher.remove();
            rest.close();
        } catch (RestFailure e) {
            throw new RoleStartException("what was set up in API Manager could not be removed: " + e.getMessage()
                    + ". To clean up by hand, " + byHand());
        }
    }

    private String byHand() {
        return "delete the application " + ApimPortal.APPLICATION + " in " + rest.admin()
                + "/devportal and then the APIs whose names begin with Gatebench in " + rest.admin() + "/publisher";
    }
}
