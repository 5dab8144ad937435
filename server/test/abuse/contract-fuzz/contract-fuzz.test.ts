import { pino } from "pino";
import { expect, test } from "vitest";
import { exampleSandboxId } from "../../../tools/test-mode.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { apiOperations, type PlacedOperation } from "../../harness/documents/promised-responses.ts";
import { withTestMode } from "../../harness/sandboxes.ts";
import { uploadApi } from "../../harness/uploads.ts";
import { leakIn } from "../leaks.ts";
import { type FuzzFigures, fuzzContract, type SentRequest } from "./fuzz-contract.ts";
import { makeOwnResources } from "./own-resources.ts";

// The long run, over the network and with time limits, is part of `npm run faults`.
const seed = 20261121;
const rounds = 8;

test("every request from the document, valid or hostile, gets a documented response, and no response reveals internals", async () => {
  const { sandboxServer } = await withTestMode();
  // A failure shows these lines, because responses do not describe the cause.
  const logLines: string[] = [];
  const logger = pino({ level: "error" }, { write: (line) => logLines.push(line) });
  const { api } = await uploadApi({ asTestModeOn: sandboxServer, logger });
  await insertBeats(
    api.database,
    Array.from({ length: 120 }, (_, index) => ({ title: `Dark trap ${index}`, producer: `Producer ${index % 7}` })),
  );
  const keys = {
    all: api.key,
    byPermission: {
      "genres:read": await api.makeKey({ permissions: ["genres:read"] }),
      "search:read": await api.makeKey({ permissions: ["search:read"] }),
    },
  };
  const { testMode } = api;
  await testMode?.insertExample();
  const send = async ({ method, url, headers, body }: SentRequest) => {
    // The example is also inserted before it is deleted, because the service remembers for a while that a sandbox does
    // not exist.
    if (url.includes(exampleSandboxId)) await testMode?.insertExample();
    const {
      statusCode,
      headers: responseHeaders,
      rawPayload: bytes,
    } = await api.request({
      method: method as "GET",
      url,
      headers,
      ...(body !== null && { payload: body }),
    });
    return { statusCode, headers: responseHeaders, bytes };
  };
  const knownIds = await makeOwnResources({ database: api.database, userId: api.userId, key: api.key, send });
  // Operations that lack one of the expected statuses get more requests.
  const figures: FuzzFigures = { requests: 0, longestMs: 0, statuses: new Map() };
  let incomplete: readonly PlacedOperation[] = apiOperations;
  for (let round = 0; round < rounds && incomplete.length > 0; round++) {
    const options = {
      keys,
      knownIds,
      half: "test",
      operations: incomplete,
      seed: seed + 1_000 * round,
      runs: 10,
      send,
    } as const;
    await fuzzContract(options, figures).catch((error: Error) => {
      throw new Error(`${error.message}\nLogged: ${logLines.at(-1)}`, { cause: error });
    });
    incomplete = incomplete.filter((operation) => missingStatuses(operation, figures).length > 0);
  }
  expect(figures.requests).toBeGreaterThanOrEqual(apiOperations.length * 4 * 10);
  expect(incomplete.map((operation) => `${operation.operationId}: ${missingStatuses(operation, figures)}`)).toEqual([]);
});

/** The status that at least one generated request to these operations must get; 200 for all other operations. */
const success: Record<string, number> = {
  createBeat: 201,
  createCheckout: 201,
  createOrder: 201,
  createPlaylist: 201,
  createUpload: 201,
  createSandbox: 201,
  forkSandbox: 201,
  triggerEvent: 201,
  // Random texts are not valid durations.
  advanceSandbox: 400,
  appendToUpload: 204,
  deleteUpload: 204,
  getEvent: 404,
  getRequest: 404,
  // The license belongs to another account, and random bytes are not valid CSV.
  listLicenseUsage: 404,
  reportLicenseUsage: 404,
  reportLicenseUsageFile: 400,
  upgradeLicense: 404,
};

/** The statuses that requests of each kind must get, but that no request has got yet. */
function missingStatuses(
  { operationId, requestBody, "x-permission": permission, "x-test-mode": isOfTestMode }: PlacedOperation,
  { statuses }: FuzzFigures,
): number[] {
  const refusals: number[] = [];
  if (isOfTestMode === true || permission !== undefined) refusals.push(401);
  if (isOfTestMode !== true && permission !== undefined) refusals.push(403);
  const expected = [success[operationId] ?? 200, 400, ...refusals, ...(requestBody === undefined ? [] : [415])];
  return expected.filter((status) => !statuses.get(operationId)?.has(status));
}

test.each([
  ["a stack", "TypeError: x\n    at handle (/srv/app/api.ts:3:1)"],
  ["a path", "cannot open /var/lib/beatmarket/keys"],
  ["a statement", "select id, key_hash from api_keys where id = 1"],
  ["the database's words", 'relation "api_keys" does not exist'],
  ["a version", "Node.js v26.1.0"],
])("a response that reveals %s is detected, unless the caller sent it", (_what, body) => {
  expect(leakIn({ head: "", body }, "")).not.toBeNull();
  expect(leakIn({ head: "", body: "All is well: select a beat, or look where others bought one." }, "")).toBeNull();
  expect(leakIn({ head: "server: nginx", body: "{}" }, "")).not.toBeNull();
  expect(leakIn({ head: "", body: 'Given: "Infinity ERR_X".' }, "q=Infinity ERR_X")).toBeNull();
});
