import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { logEntry, writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { beforeAll, expect, test } from "vitest";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { createKey } from "../../resources/api-keys/queries.ts";

const clock = new FakeClock();
let portal: TestPortal;
let ada: SignedInVisitor;
let keyId: number;

beforeAll(async () => {
  portal = await testPortal({ clock });
  ada = await portal.signUp();
  const { id } = await createKey(
    portal.database.query,
    { userId: ada.userId, name: "Website", plan: "standard", permissions: ["beats:read"], expiresAt: null },
    clock.now(),
  );
  keyId = id;
});

const write = (...calls: { ageMs: number; status: number; refusedBy?: string; path?: string }[]) =>
  writeLogEntries(
    portal.database,
    calls.map(({ ageMs, ...fields }) =>
      logEntry({ timeMs: clock.nowMs() - ageMs, userId: ada.userId, apiKeyId: keyId, ...fields }),
    ),
  );

test("a new account's home has no failures and no successful call", async () => {
  expect((await ada.get("/home")).json()).toEqual({
    from: new Date(clock.nowMs() - 86_400_000).toISOString(),
    to: clock.now().toISOString(),
    errors: [],
    errors_complete: true,
    latest_success: null,
    shop: { buys: false, produces: false, sells: false },
  });
});

test("home shows each kind of failure, and the newest successful call", async () => {
  await write(
    { ageMs: 60_000, status: 200 },
    { ageMs: 50_000, status: 403, refusedBy: "permission:orders:read", path: "/v1/orders" },
    { ageMs: 40_000, status: 403, refusedBy: "permission:orders:read", path: "/v1/orders/7" },
  );
  const home = (await ada.get("/home")).json();
  expect(home.latest_success).toMatchObject({ path: "/v1/beats", status: 200, duration_ms: 1.5 });
  expect(home.errors).toEqual([
    {
      status: 403,
      refused_by: "permission:orders:read",
      operation: "listBeats",
      calls: 2,
      first_seen_at: new Date(clock.nowMs() - 50_000).toISOString(),
      last_seen_at: new Date(clock.nowMs() - 40_000).toISOString(),
      new: true,
      reason: "The key lacks the permission orders:read.",
      advice: expect.stringContaining("orders:read"),
      latest: { id: expect.any(Number), method: "GET", path: "/v1/orders/7" },
    },
  ]);
});

test("home groups refusals of several parameters, and names none of the parameters", async () => {
  const eve = await portal.signUp();
  const refused = (ageMs: number, name: string) =>
    logEntry({
      timeMs: clock.nowMs() - ageMs,
      userId: eve.userId,
      apiKeyId: 7,
      status: 400,
      refusedBy: `parameter:${name}`,
    });
  await writeLogEntries(portal.database, [refused(3_000, "genr"), refused(2_000, "limit"), refused(1_000, "sort")]);
  const { errors } = (await eve.get("/home")).json();
  expect(errors).toMatchObject([{ refused_by: "parameter", calls: 3, reason: "A parameter or field was refused." }]);
});

test("home shows no calls of another account", async () => {
  const eve = await portal.signUp();
  expect((await eve.get("/home")).json()).toMatchObject({ errors: [], latest_success: null });
});
