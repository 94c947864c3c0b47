/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * A key pair of the kind ed25519 in the forms of OpenSSH.
 *
 * @param privateKey the text of a private key file without pass-phrase
 * @param publicKey the line of a public key file
 */
record Ed25519Keys(String privateKey, String publicKey) {

    private static final String KIND = "ssh-ed25519";
    private static final int KEY_BYTES = 32;
    private static final int BLOCK = 8;
    private static final int LINE = 70;

    /** Returns a new pair with a comment. */
    static Ed25519Keys create(String comment, SecureRandom random) {
        KeyPair pair;
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(255, random);
            pair = generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no ed25519", e);
        }
        // Both encodings of RFC 8410 end with the 32 bytes of the key.
        byte[] seed = last(pair.getPrivate().getEncoded());
        byte[] point = last(pair.getPublic().getEncoded());
        byte[] blob = new Blob().text(KIND).bytes(point).done();
        return new Ed25519Keys(
                privateKey(seed, point, blob, comment, random.nextInt()),
                KIND + " " + Base64.getEncoder().encodeToString(blob) + " " + comment);
    }

    /** Writes the form that PROTOCOL.key of OpenSSH describes, with the cipher "none". */
    private static String privateKey(byte[] seed, byte[] point, byte[] blob, String comment, int check) {
        byte[] both = Arrays.copyOf(seed, 2 * KEY_BYTES);
        System.arraycopy(point, 0, both, KEY_BYTES, KEY_BYTES);
        Blob secret = new Blob()
                .number(check)
                .number(check)
                .text(KIND)
                .bytes(point)
                .bytes(both)
                .text(comment);
        for (int padding = 1; secret.size() % BLOCK != 0; padding++) {
            secret.raw((byte) padding);
        }
        Blob file = new Blob();
        for (byte b : "openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII)) {
            file.raw(b);
        }
        byte[] all = file.text("none")
                .text("none")
                .text("")
                .number(1)
                .bytes(blob)
                .bytes(secret.done())
                .done();
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(all);
        return "-----BEGIN OPENSSH PRIVATE KEY-----\n" + body + "\n-----END OPENSSH PRIVATE KEY-----\n";
    }

    private static byte[] last(byte[] encoded) {
        return Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
    }

    /** Leaves the secret out. */
    @Override
    public String toString() {
        return publicKey;
    }

    private static final class Blob {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Blob number(int value) {
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
            return this;
        }

        Blob bytes(byte[] bytes) {
            number(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        Blob text(String text) {
            return bytes(text.getBytes(StandardCharsets.UTF_8));
        }

        Blob raw(byte b) {
            out.write(b);
            return this;
        }

        int size() {
            return out.size();
        }

        byte[] done() {
            return out.toByteArray();
        }
    }
}
