import { expect, test } from "vitest";
import { exampleSandboxId } from "../../../tools/test-half.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { apiOperations } from "../../harness/documents/promised-responses.ts";
import { withTestMode } from "../../harness/sandboxes.ts";
import { uploadApi } from "../../harness/uploads.ts";
import { leakIn } from "../leaks.ts";
import { fuzzContract, type SentRequest } from "./fuzz-contract.ts";
import { makeOwnResources } from "./own-resources.ts";

// The long run, over the network and with time limits, is part of `npm run faults`.
const seed = 20261121;

test("every request made from the document, valid or hostile, gets a promised response, and nothing leaks", async () => {
  const { sandboxServer } = await withTestMode();
  const { api } = await uploadApi({ asTestHalfOn: sandboxServer });
  await insertBeats(
    api.database,
    Array.from({ length: 120 }, (_, index) => ({ title: `Dark trap ${index}`, producer: `Producer ${index % 7}` })),
  );
  const keys = {
    all: api.key,
    only: {
      "genres:read": await api.makeKey({ permissions: ["genres:read"] }),
      "search:read": await api.makeKey({ permissions: ["search:read"] }),
    },
  };
  const { testHalf } = api;
  await testHalf?.insertExample();
  const send = async ({ method, url, headers, body }: SentRequest) => {
    // Also before it is deleted: the service remembers for a while that an id is of no sandbox.
    if (url.includes(exampleSandboxId)) await testHalf?.insertExample();
    const {
      statusCode,
      headers: got,
      rawPayload: bytes,
    } = await api.request({
      method: method as "GET",
      url,
      headers,
      ...(body !== null && { payload: body }),
    });
    return { statusCode, headers: got, bytes };
  };
  const known = await makeOwnResources({ database: api.database, userId: api.userId, key: api.key, send });
  const { requests, statuses } = await fuzzContract({ keys, known, half: "test", seed, runs: 50, send });
  expect(requests).toBe(apiOperations.length * 4 * 50);
  // Checks that requests succeeded: a generator whose requests are all refused would find nothing.
  const success: Record<string, number> = {
    createBeat: 201,
    createCheckout: 201,
    createOrder: 201,
    createPlaylist: 201,
    createUpload: 201,
    ...{ createSandbox: 201, forkSandbox: 201, triggerEvent: 201 },
    // Random texts are no durations.
    advanceSandbox: 400,
    appendToUpload: 204,
    deleteUpload: 204,
    getEvent: 404,
    getRequest: 404,
    // The license belongs to another account; random bytes are no CSV.
    ...{ listLicenseUsage: 404, reportLicenseUsage: 404, reportLicenseUsageFile: 400, upgradeLicense: 404 },
  };
  for (const { operationId, requestBody, "x-permission": permission, "x-test-mode": isOfTestMode } of apiOperations) {
    const refused = isOfTestMode === true ? [401] : permission === undefined ? [] : [401, 403];
    const seen = [...(statuses.get(operationId)?.keys() ?? [])];
    expect(seen, operationId).toEqual(expect.arrayContaining([success[operationId] ?? 200, 400, ...refused]));
    if (requestBody !== undefined) expect(seen, operationId).toContain(415);
  }
});

test.each([
  ["a stack", "TypeError: x\n    at handle (/srv/app/api.ts:3:1)"],
  ["a path", "cannot open /var/lib/beatmarket/keys"],
  ["a statement", "select id, key_hash from api_keys where id = 1"],
  ["the database's words", 'relation "api_keys" does not exist'],
  ["a version", "Node.js v26.1.0"],
])("a response that reveals %s is caught, unless the caller sent it", (_what, body) => {
  expect(leakIn({ head: "", body }, "")).not.toBeNull();
  expect(leakIn({ head: "", body: "All is well: select a beat, or look where others bought one." }, "")).toBeNull();
  expect(leakIn({ head: "server: nginx", body: "{}" }, "")).not.toBeNull();
  expect(leakIn({ head: "", body: 'Given: "Infinity ERR_X".' }, "q=Infinity ERR_X")).toBeNull();
});
