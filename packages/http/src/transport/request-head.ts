import type { IncomingMessage } from "node:http";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";

/** `uri-host [ ":" port ]` (RFC 9110 7.2). A comma is excluded, since it joins two header values. */
const host = /^(?:\[[\da-f:.]{2,45}\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2}){1,255})(?::\d{0,5})?$/i;
const maxKnownHosts = 100;
/** Valid hosts of earlier requests. A fast path, since most requests have one of a few hosts. */
const knownHosts = new Set<string>();

/**
 * Refuses requests that violate the RFCs although Node's parser accepts them. Throws 400 without exactly one valid Host
 * (HTTP/1.0 may have none), for CONNECT, and for any transfer coding except `chunked` in HTTP/1.1. Throws 417 for an
 * expectation other than 100-continue in HTTP/1.1.
 */
export function checkHead({ method, headers, rawHeaders, httpVersion }: IncomingMessage): void {
  if (method === "CONNECT") throw noProxy();
  checkHost(headers.host, rawHeaders, httpVersion);
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked"))
    throw otherCoding(coding, httpVersion);
  // The expectation of an HTTP/1.0 client is ignored (RFC 9110 10.1.1).
  if (headers.expect !== undefined && httpVersion !== "1.0" && !/^100-continue$/i.test(headers.expect))
    throw unmetExpectation(headers.expect);
}

function checkHost(value: string | undefined, rawHeaders: readonly string[], httpVersion: string): void {
  if (value === undefined) {
    if (httpVersion === "1.1") throw badHost("It has no Host header; HTTP/1.1 requires one.");
    return;
  }
  if (!knownHosts.has(value)) {
    if (!host.test(value))
      throw badHost("Its Host header is not a host with an optional port, such as example.com:8443.");
    if (knownHosts.size < maxKnownHosts) knownHosts.add(value);
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) throw badHost("It has more than one Host header; send one.");
}

/** Closes the connection, since a proxy may interpret the following bytes differently. */
const closing = { headers: { connection: "close" } };

const badHost = (reason: string): ApiError =>
  new ApiError(400, "invalid_request", "Invalid request", `This is not a well-formed HTTP request. ${reason}`, closing);

/** The refusal of CONNECT. Exported, since Node emits a separate event for CONNECT. */
export const noProxy = (): ApiError =>
  new ApiError(
    400,
    "invalid_request",
    "Invalid request",
    "This server is not a proxy: CONNECT is not supported.",
    closing,
  );

const otherCoding = (coding: string, httpVersion: string): ApiError =>
  new ApiError(
    400,
    "invalid_request",
    "Invalid request",
    httpVersion === "1.0"
      ? "This is not a well-formed HTTP request: HTTP/1.0 has no Transfer-Encoding. Send Content-Length."
      : `This is not a well-formed HTTP request: its Transfer-Encoding is ${JSON.stringify(quoted(coding))}, and only chunked is read.`,
    closing,
  );

const unmetExpectation = (expectation: string): ApiError =>
  new ApiError(
    417,
    "invalid_request",
    "Expectation failed",
    `The Expect header may be 100-continue only. Given: ${JSON.stringify(quoted(expectation))}.`,
    closing,
  );
