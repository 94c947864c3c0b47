/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.nio.file.Path;

/**
 * A MySQL server that was created for a run.
 *
 * @param address its address as the machines of the run reach it
 * @param port its port
 * @param user who may do everything there
 * @param description what it is in words, e.g. {@code MySQL 8.0.35 (db.m5.large)}
 * @param password the file here with that user's password, which only its owner may read
 * @since 0.1
 */
public record DatabaseServer(String address, int port, String user, String description, Path password) {}
