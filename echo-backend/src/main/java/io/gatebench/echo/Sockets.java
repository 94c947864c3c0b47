/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/** Settings of a socket that are made behind the back of its pipeline. */
final class Sockets {

    private Sockets() {}

    /** Closes with a TCP reset, without TLS's goodbye and without sending what is queued. */
    static void reset(Channel channel) {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.unsafe().close(channel.voidPromise());
    }
}
