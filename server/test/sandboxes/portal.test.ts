import { beforeAll, expect, test } from "vitest";
import { type SignedInVisitor, type TestPortal, testPortal } from "../harness/portal.ts";
import { withTestMode } from "../harness/sandboxes.ts";

let portal: TestPortal;
let [ada, bob] = [{} as SignedInVisitor, {} as SignedInVisitor];

beforeAll(async () => {
  portal = await testPortal(await withTestMode());
  [ada, bob] = [await portal.signUp(), await portal.signUp()];
}, 120_000);

const call = (
  visitor: SignedInVisitor,
  method: "GET" | "POST" | "DELETE",
  path: string,
  payload?: object,
  mode = "test",
) =>
  portal.api.request({
    method,
    url: `/portal/api/sandboxes${path}`,
    ...(payload && { payload }),
    headers: { cookie: visitor.cookie(), origin: "https://localhost:8443", "x-mode": mode },
  });

test("the page's calls create, list, advance, fork and delete only the account's sandboxes", async () => {
  const created = await call(ada, "POST", "", { seed: "page", catalogue: "empty" });
  expect([created.statusCode, created.json().sandbox.api_key]).toEqual([201, expect.stringMatching(/^bm_test_/)]);
  const { id } = created.json().sandbox;
  const sandboxList = (await call(ada, "GET", "")).json().sandboxes;
  expect(sandboxList).toMatchObject([{ id, seed: "page" }]);
  expect(JSON.stringify(sandboxList)).not.toContain("api_key");
  const advanced = await call(ada, "POST", `/${id}/advance`, { by: "P2D" });
  expect(advanced.json().advance).toMatchObject({ is_complete: true, sandbox: { now: "2026-01-03T00:00:00.000Z" } });

  expect((await call(bob, "GET", "")).json().sandboxes).toEqual([]);
  expect((await call(bob, "POST", `/${id}/advance`, { by: "P2D" })).statusCode).toBe(404);
  expect((await call(bob, "POST", `/${id}/fork`)).statusCode).toBe(404);
  expect((await call(bob, "DELETE", `/${id}`)).statusCode).toBe(404);

  const fork = await call(ada, "POST", `/${id}/fork`);
  expect([fork.statusCode, fork.json().sandbox.seed]).toEqual([201, "page"]);
  for (const sandboxId of [id, fork.json().sandbox.id])
    expect((await call(ada, "DELETE", `/${sandboxId}`)).statusCode).toBe(200);
  expect((await call(ada, "GET", "")).json().sandboxes).toEqual([]);
}, 120_000);

test("live mode has no sandboxes, and its message names test mode", async () => {
  const response = await call(ada, "GET", "", undefined, "live");
  expect([response.statusCode, response.json().error.details]).toEqual([
    404,
    "Sandboxes belong to test mode. Switch the portal to Test.",
  ]);
});

test("the explorer calls the mode that the page shows", async () => {
  const headers = { cookie: ada.cookie(), origin: "https://localhost:8443", "x-mode": "test" };
  const proposed = await portal.api.request({ method: "POST", url: "/portal/api/keys/proposals", headers });
  const fields = { name: "Explorer", permissions: ["genres:read"], expires_in_days: null, proposed: proposed.json() };
  const createdKey = await portal.api.request({ method: "POST", url: "/portal/api/keys", headers, payload: fields });
  const keyHeaders = { ...headers, "x-explorer-key": String(createdKey.json().id) };
  const sandboxList = await portal.api.request({ method: "GET", url: "/v1/test/sandboxes", headers: keyHeaders });
  expect([sandboxList.statusCode, sandboxList.json().data]).toEqual([200, { sandboxes: [] }]);
  const keys = await portal.api.request({ method: "GET", url: "/portal/api/explorer/keys", headers });
  expect(keys.json().keys).toMatchObject([{ name: "Explorer" }]);
});
