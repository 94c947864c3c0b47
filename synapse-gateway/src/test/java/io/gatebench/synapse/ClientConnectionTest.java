/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.axis2.context.MessageContext;
import org.apache.axis2.context.OperationContext;
import org.apache.axis2.engine.Handler;
import org.apache.http.config.ConnectionConfig;
import org.apache.http.nio.reactor.EventMask;
import org.apache.http.nio.reactor.IOSession;
import org.apache.synapse.SynapseConstants;
import org.apache.synapse.transport.passthru.PassThroughConstants;
import org.junit.jupiter.api.Test;

class ClientConnectionTest {
    private final AtomicInteger asked = new AtomicInteger();
    private final ClientConnection connection = new ClientConnection(session(), ConnectionConfig.DEFAULT);

    private IOSession session() {
        return (IOSession) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IOSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setEvent") && arguments[0].equals(EventMask.WRITE)) {
                        asked.incrementAndGet();
                    }
                    return method.getReturnType() == int.class ? 0 : null;
                });
    }

    @Test
    void onlyTheThreadThatSubmitsAnAnswerBeginsIt() throws InterruptedException {
        connection.holdAnswer();
        inAnotherThread(connection::requestOutput);
        assertThat(asked).hasValue(0);

        connection.requestOutput();
        assertThat(asked).hasValue(1);
    }

    @Test
    void whatArrivesLaterIsWrittenByWhoReadsIt() throws InterruptedException {
        inAnotherThread(connection::requestOutput);
        connection.holdAnswer();
        connection.requestOutput();
        inAnotherThread(connection::requestOutput);

        assertThat(asked).hasValue(3);
    }

    @Test
    void theThreadOfTheAnswerBeforeDoesNotBeginTheNextOne() throws InterruptedException {
        connection.holdAnswer();
        connection.requestOutput();
        inAnotherThread(connection::holdAnswer);
        connection.requestOutput();

        assertThat(asked).hasValue(1);
    }

    @Test
    void everyAnswerIsHeldUntilItIsSubmitted() throws InterruptedException {
        MessageContext answer = new MessageContext();
        answer.setOperationContext(new OperationContext());
        answer.setProperty(SynapseConstants.ISRESPONSE_PROPERTY, Boolean.TRUE);
        answer.setProperty(PassThroughConstants.PASS_THROUGH_SOURCE_CONNECTION, connection);

        assertThat(new OneAnswer().invoke(answer)).isEqualTo(Handler.InvocationResponse.CONTINUE);
        inAnotherThread(connection::requestOutput);
        assertThat(asked).hasValue(0);

        connection.requestOutput();
        assertThat(asked).hasValue(1);
    }

    private static void inAnotherThread(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}
