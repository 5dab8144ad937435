import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import type { Permission } from "../../../src/access/roles.ts";
import { apiOperations, type PlacedOperation, unpromised } from "../../harness/documents/promised-responses.ts";
import { leakIn } from "../leaks.ts";
import { type Credential, type GeneratedRequest, requestsOf } from "./contract-requests.ts";
import { hostileTexts } from "./hostile-texts.ts";
import type { KnownIds, Validity } from "./parts.ts";

export interface SentRequest {
  method: string;
  /** Path and query, with the prefix. */
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

interface ReceivedResponse {
  statusCode: number;
  headers: Record<string, unknown>;
  /** The body as received, compressed or not. */
  bytes: Buffer;
}

export interface FuzzOptions {
  send(request: SentRequest): Promise<ReceivedResponse>;
  /** API keys of a plan without limits: one with every permission, and some with a single one. */
  keys: { all: string; byPermission: Partial<Record<Permission, string>> };
  /** The half of the service that the keys belong to. Operations of test mode refuse live keys. */
  half: "live" | "test";
  /** Ids of resources for the requests. */
  knownIds: KnownIds;
  /** The operations to test. Absent: all operations. */
  operations?: readonly PlacedOperation[];
  /** The number of requests for each operation, form and prefix. */
  runs: number;
  seed: number;
  /** The longest time that a response may take. Undefined does not check the time. */
  longestMs?: number;
}

/** The statistics of the requests and responses. */
export interface FuzzFigures {
  requests: number;
  longestMs: number;
  /** The number of responses by operation and status. */
  statuses: Map<string, Map<number, number>>;
}

const prefixes = ["/v1", "/api/v1"];
const forms = ["reference", "console"] as const;
const badKeys = ["bm_", `bm_${"0".repeat(46)}`, "x", "Bearer", `bm_${"é".repeat(3)}`, "null"];

/**
 * Sends requests that are generated from contract/openapi.json to every operation, in both forms and under both
 * prefixes. Throws an error with the request if a response is 500 or more, is not documented, reveals an internal,
 * contradicts the request by its status, or takes longer than `longestMs`. Does not search for a smaller failing
 * request: that would repeat thousands of requests, some of which copy a database. Adds the results to `figures`.
 */
export async function fuzzContract(
  options: FuzzOptions,
  figures: FuzzFigures = { requests: 0, longestMs: 0, statuses: new Map() },
): Promise<FuzzFigures> {
  let { seed } = options;
  for (const operation of options.operations ?? apiOperations)
    for (const form of forms)
      for (const prefix of prefixes)
        await fc.assert(
          fc.asyncProperty(requestsOf(operation, form, options.knownIds), (request) =>
            tryOne(operation, prefix, request, options, figures),
          ),
          { numRuns: options.runs, seed: seed++, includeErrorInReport: true, endOnFailure: true },
        );
  return figures;
}

async function tryOne(
  operation: PlacedOperation,
  prefix: string,
  request: GeneratedRequest,
  { send, keys, longestMs, half }: FuzzOptions,
  figures: FuzzFigures,
): Promise<void> {
  const { operationId } = operation;
  const key = keyOf(request.credential, operation["x-permission"], keys, figures.requests);
  const headers = { ...request.headers, ...(key !== null && { authorization: `Bearer ${key}` }) };
  const startedMs = performance.now();
  const rawResponse = await send({
    method: request.method,
    url: prefix + request.url,
    headers: latin1(headers),
    body: request.body,
  });
  const durationMs = performance.now() - startedMs;
  const response = { ...rawResponse, body: textOf(rawResponse) };

  const { statusCode } = response;
  const counts = figures.statuses.get(operationId) ?? new Map<number, number>();
  figures.statuses.set(operationId, counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1));
  figures.requests++;
  figures.longestMs = Math.max(figures.longestMs, durationMs);

  const deviation =
    (statusCode >= 500 ? `${operationId} answered ${statusCode}: ${response.body}` : null) ??
    findViolation(operation, request, response, half) ??
    findLeak(request, response) ??
    (longestMs !== undefined && durationMs > longestMs ? `${operationId} took ${Math.round(durationMs)} ms` : null);
  if (deviation !== null) throw new Error(deviation);
}

function keyOf(
  credential: Credential,
  needed: Permission | undefined,
  { all, byPermission }: FuzzOptions["keys"],
  turn: number,
): string | null {
  switch (credential) {
    case "none":
      return null;
    case "bad":
      return badKeys[turn % badKeys.length] ?? "";
    case "no permission":
      return Object.entries(byPermission).find(([permission]) => permission !== needed)?.[1] ?? "";
    case "all permissions":
      return all;
  }
}

/** HTTP header values are bytes. */
const latin1 = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]));

/**
 * Statuses that only some operations may return for a valid or invalid request. No schema can express whether a file
 * has room for a body, who owns a beat, or which mistake in a part is found first.
 */
const ownRefusals: Readonly<Record<string, Partial<Record<Validity, readonly number[]>>>> = {
  updateBeat: { valid: [403] },
  withdrawBeat: { valid: [403] },
  // A playlist takes only beats that are on sale.
  createPlaylist: { valid: [400] },
  // The handler checks the times, so that the refusal explains them. Only some events can be triggered.
  advanceSandbox: { valid: [400] },
  createSandbox: { valid: [400] },
  triggerEvent: { valid: [400] },
  updatePlaylist: { valid: [400] },
  // The body is CSV, and random bytes are not valid CSV.
  reportLicenseUsageFile: { valid: [400] },
  createUpload: { valid: [413], invalid: [412] },
  // Parts and offsets have a separate rate limit, which applies to every plan.
  getUploadOffset: { valid: [429], invalid: [412, 429] },
  appendToUpload: { valid: [413, 429], invalid: [409, 412, 429] },
  deleteUpload: { invalid: [412] },
};

/** The paths on which X-HTTP-Method-Override sets the method. */
const tusPaths = new Set(
  apiOperations
    .filter(({ parameters }) => parameters.some(({ name }) => name === "Tus-Resumable"))
    .map(({ path }) => path),
);

/**
 * Returns how a response differs from the documented responses of the operation, or of the operation that the method
 * override names.
 */
function findViolation(
  operation: PlacedOperation,
  request: GeneratedRequest,
  response: { statusCode: number; headers: Record<string, unknown>; body: string },
  half: FuzzOptions["half"],
): string | null {
  const override = request.headers["x-http-method-override"];
  // On other paths the header is ignored.
  if (override === undefined || !tusPaths.has(operation.path))
    return (
      // The document requires all fields of an object, but with `fields` a response omits some.
      (request.url.includes("fields=") && response.statusCode === 200
        ? null
        : unpromised(operation.operationId, response)) ??
      findContradiction(operation, request, response.statusCode, half)
    );
  const overridden = apiOperations.find(({ path, method }) => path === operation.path && method === override);
  if (overridden === undefined)
    return [401, 403, 405, 429].includes(response.statusCode)
      ? null
      : `${override} of ${operation.path} answered ${response.statusCode}.`;
  // The parameters and headers belong to another operation.
  return (
    unpromised(overridden.operationId, response, request.method) ??
    findContradiction(overridden, { ...request, validity: "unclear" }, response.statusCode, half)
  );
}

/**
 * Returns how a response's status contradicts the request. The service checks the caller first
 * (docs/api/conventions.md, Order of checks).
 */
function findContradiction(
  { operationId, responses, "x-permission": permission, "x-test-mode": isOfTestMode }: PlacedOperation,
  { credential, validity }: GeneratedRequest,
  status: number,
  half: FuzzOptions["half"],
): string | null {
  const exceptions = ownRefusals[operationId]?.[validity] ?? [];
  const success = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300);
  const statusesByValidity = {
    valid: [...success, 304, 404, 409, 416, ...exceptions],
    invalid: [400, 404, 406, 413, 415, ...exceptions],
    unclear: null,
  };
  const admitted = statusesByValidity[validity];
  const isOpen = permission === undefined;
  const isRefused = isOfTestMode === true && half === "live";
  const expected = {
    // Requests of one network without a key are limited. The service checks that limit after the validity of the
    // request.
    none: isOpen && isOfTestMode !== true ? admitted && [...admitted, 429] : [401],
    // Wrong keys are limited by network address.
    bad: [401, 429],
    "no permission": isOpen && !isRefused ? admitted : [403],
    "all permissions": isRefused ? [403] : admitted,
  }[credential];
  if (expected === null || expected.includes(status)) return null;
  return `Answered ${status} to a request that is ${validity}, with the credential "${credential}".`;
}

function textOf({ headers, bytes }: ReceivedResponse): string {
  const encoding = headers["content-encoding"];
  if (encoding === "br") return brotliDecompressSync(bytes).toString();
  return (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
}

function findLeak(
  { url, headers, body }: GeneratedRequest,
  response: ReceivedResponse & { body: string },
): string | null {
  const decodedUrl = url.replaceAll(/(%[0-9a-f]{2})+/gi, (text) =>
    Buffer.from(text.replaceAll("%", ""), "hex").toString(),
  );
  // Texts that an earlier request stored in the profile do not count as leaks.
  const requestText = `${hostileTexts.join(" ")} ${url} ${decodedUrl} ${JSON.stringify(decodedUrl)} ${JSON.stringify(headers)} ${body?.toString() ?? ""}`;
  const head = Object.entries(response.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  const leakText = leakIn({ head, body: response.body }, requestText);
  return leakText === null ? null : `The response reveals: ${leakText}\n${response.body}`;
}
