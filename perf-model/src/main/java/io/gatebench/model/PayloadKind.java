/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * The shape of the request payload that a scenario sends.
 *
 * @since 0.1
 */
public enum PayloadKind {
    /** {@code {"size":"<N>B","payload":"..."}}, exactly N bytes. */
    JSON_SIMPLE,
    /** The same with an array of strings: the shape of the published gateway results. */
    JSON_ARRAY,
    /** The same with an object of strings. */
    JSON_OBJECT,
    /** SOAP {@code buyStocks} envelope. */
    SOAP_BUY_STOCKS,
    /** Bare XML {@code buyStocks} with n elements. */
    XML_ELEMENTS,
    /** {@code {"payload":{"symbol":[...]}}}, which the gateway turns into SOAP. */
    JSON_SYMBOLS,
    /** One of the three Star Wars queries. */
    GRAPHQL_QUERY,
    /** No body. */
    NONE
}
