import { createHash } from "node:crypto";
import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { generateKey, sha256 } from "../../src/resources/api-keys/key-format.ts";
import { makeKey, type TestPortal, testPortal } from "../harness/portal.ts";
import { inSandbox, liftLimits, withTestMode } from "../harness/sandboxes.ts";

let portal: TestPortal;
let testKey: string;
let liveKey: string;
/** A limit above the size of any sandbox in the tests. */
const usualBytes = 500_000_000;
let maxBytes = usualBytes;
let testMode: Awaited<ReturnType<typeof withTestMode>>;

beforeAll(async () => {
  testMode = await withTestMode();
  const sandboxServer = {
    ...testMode.sandboxServer,
    get maxBytes() {
      return maxBytes;
    },
  };
  portal = await testPortal({ ...testMode, sandboxServer });
  const developer = await portal.signUp();
  liveKey = (await makeKey(developer)).json().key;
  testKey = (await makeKey(developer, {}, { "x-mode": "test" })).json().key;
  await liftLimits(testMode, testKey);
}, 120_000);

type Method = "GET" | "POST" | "DELETE" | "PUT";
const call = (key: string, method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
  portal.api.request({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(payload && { payload }),
  });
const manage = async (method: Method, path = "", payload?: object) =>
  call(testKey, method, `/v1/test/sandboxes${path}`, payload);
const create = async (seed: string, catalogue = "demo") => {
  const response = await manage("POST", "", { seed, catalogue });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().data.sandbox as { id: string; api_key: string; now: string };
};
/** Advances with as many calls as this machine needs. Returns the sums of their results. */
async function advance({ id }: { id: string }, body: { by: string; orders_per_day?: number; faults?: object[] }) {
  const totals = { orders: 0, payouts: 0 };
  for (let { by } = body; ; ) {
    const response = await manage("POST", `/${id}/advance`, { ...body, by });
    expect(response.statusCode, response.body).toBe(200);
    const { is_complete, remaining, orders, payouts } = response.json().data.advance;
    totals.orders += orders;
    totals.payouts += payouts;
    if (is_complete) return totals;
    by = remaining;
  }
}
const drop = (...sandboxes: { id: string }[]) => Promise.all(sandboxes.map(({ id }) => manage("DELETE", `/${id}`)));

/** The SHA-256 of the event log, the catalogue and the orders, without the sandbox's id. */
async function fingerprint({ id, api_key }: { id: string; api_key: string }): Promise<string> {
  const texts: string[] = [];
  for (let after = ""; ; ) {
    const page = (await call(api_key, "GET", `/v1/events?limit=100${after}`)).json().data;
    texts.push(JSON.stringify(page.events));
    if (page.events.length === 0 || page.has_more === false) break;
    after = `&after=${page.next}`;
  }
  for (let page = 1; page <= 3; page++)
    texts.push((await call(api_key, "GET", `/v1/beats?limit=100&page=${page}`)).body);
  texts.push((await call(api_key, "GET", "/v1/orders")).body);
  return createHash("sha256").update(texts.join("\n").replaceAll(id, "ID")).digest("hex");
}

describe("a sandbox", () => {
  test("has a separate time, which stands still until a call advances it", async () => {
    const sandbox = await create("time", "empty");
    expect(sandbox.now).toBe("2026-01-01T00:00:00.000Z");
    const advanced = (await manage("POST", `/${sandbox.id}/advance`, { by: "P90DT1H" })).json().data.advance;
    expect(advanced).toMatchObject({ is_complete: true, remaining: "PT0S" });
    expect(advanced.sandbox.now).toBe("2026-04-01T01:00:00.000Z");
    expect((await manage("GET", `/${sandbox.id}`)).json().data.sandbox.now).toBe("2026-04-01T01:00:00.000Z");
    await drop(sandbox);
  });

  test("is the same for the same seed and calls, byte by byte, and differs for another seed", async () => {
    const sandboxes = [await create("seven"), await create("seven"), await create("eight")];
    const prints = [];
    for (const sandbox of sandboxes) {
      const { beats } = (await call(sandbox.api_key, "GET", "/v1/beats?limit=1&sort=oldest")).json().data ?? {};
      const beatId = beats?.[0]?.id ?? 1;
      const bought = { beat_id: beatId, license_type: "basic", payment_method: "pm_card_visa" };
      const order = await call(sandbox.api_key, "POST", "/v1/orders", bought);
      expect(order.statusCode, order.body).toBe(201);
      expect((await advance(sandbox, { by: "P5D", orders_per_day: 6 })).orders).toBeGreaterThan(10);
      prints.push(await fingerprint(sandbox));
    }
    expect(prints[0]).toBe(prints[1]);
    expect(prints[2]).not.toBe(prints[0]);
    await drop(...sandboxes);
  }, 240_000);

  test("retries webhooks in its time while receivers are down, and delivers them afterwards", async () => {
    const response = await manage("POST", "", { seed: "hooks", webhook_url: "https://receiver.example/hooks" });
    const sandbox = response.json().data.sandbox;
    expect(sandbox.webhook_secret).toMatch(/^whsec_/);
    const faults = [{ receiver: "down", from: "PT0S", to: "P3D" }];
    await advance(sandbox, { by: "P3D", orders_per_day: 3, faults });
    await advance(sandbox, { by: "P4D", orders_per_day: 3 });
    const deliveries = await inSandbox(
      testMode,
      sandbox.id,
      (driver) => driver`
      select state, attempts, created_at < '2026-01-04' as "isEarly",
        (select max(attempted_at) from webhook_attempts attempt where attempt.delivery_id = delivery.id) as "lastAt"
      from webhook_deliveries delivery where type = 'beat.purchased'`,
    );
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(["succeeded"]));
    const early = deliveries.filter(({ isEarly }) => isEarly);
    for (const { lastAt } of early) expect(lastAt >= new Date("2026-01-04")).toBe(true);
    // The tenth attempt at an event comes after more than three days, and succeeds for an event of the first day.
    expect(Math.max(...early.map(({ attempts }) => attempts))).toBe(10);
    expect(Math.min(...early.map(({ attempts }) => attempts))).toBeGreaterThan(1);
    for (const { isEarly, attempts } of deliveries) if (!isEarly) expect(attempts).toBe(1);
    await drop(sandbox);
  }, 120_000);

  test("is copied by a fork with its time and data, and is independent afterwards", async () => {
    const sandbox = await create("fork", "empty");
    await manage("POST", `/${sandbox.id}/advance`, { by: "P1D" });
    const fork = (await manage("POST", `/${sandbox.id}/fork`)).json().data.sandbox;
    expect(fork).toMatchObject({ now: "2026-01-02T00:00:00.000Z", seed: "fork" });
    expect((await call(fork.api_key, "GET", "/v1/genres")).statusCode).toBe(200);
    await manage("POST", `/${fork.id}/advance`, { by: "P1D" });
    expect((await manage("GET", `/${sandbox.id}`)).json().data.sandbox.now).toBe("2026-01-02T00:00:00.000Z");
    await drop(sandbox, fork);
  }, 120_000);

  test("is deleted completely: its key stops working, and its database does not exist any more", async () => {
    const sandbox = await create("gone", "empty");
    expect((await call(sandbox.api_key, "GET", "/v1/genres")).statusCode).toBe(200);
    expect((await manage("DELETE", `/${sandbox.id}`)).statusCode).toBe(200);
    expect((await call(sandbox.api_key, "GET", "/v1/genres")).statusCode).toBe(401);
    expect((await manage("GET", `/${sandbox.id}`)).statusCode).toBe(404);
    const { driver } = portal.database;
    expect(await driver`select from pg_database where datname like ${`%${sandbox.id}`}`).toHaveLength(0);
  }, 120_000);

  test("refuses changes and does not advance if it is full, but can be read and deleted", async () => {
    const sandbox = await create("full", "empty");
    onTestFinished(() => {
      maxBytes = usualBytes;
    });
    maxBytes = 1_000_000;
    const changed = await call(sandbox.api_key, "PUT", "/v1/users/profile", { username: "full" });
    expect([changed.statusCode, changed.json().error]).toEqual([
      403,
      expect.objectContaining({
        code: "forbidden",
        details: expect.stringMatching(
          /^sandbox_full: The sandbox has \d+ MB\. A sandbox of more than 1 MB takes no changes/,
        ),
      }),
    ]);
    const advanced = await manage("POST", `/${sandbox.id}/advance`, { by: "P1D" });
    expect([advanced.statusCode, advanced.json().error.details]).toEqual([
      409,
      expect.stringContaining("does not advance. Delete the sandbox"),
    ]);
    expect((await manage("GET", `/${sandbox.id}`)).json().data.sandbox.now).toBe(sandbox.now);
    expect((await call(sandbox.api_key, "GET", "/v1/genres")).statusCode).toBe(200);
    expect((await manage("DELETE", `/${sandbox.id}`)).statusCode).toBe(200);
  }, 120_000);

  test("analyses uploads, publishes beats at their time, and pays out the revenue", async () => {
    const { id, api_key } = await create("press", "empty");
    const events = async (...types: string[]) =>
      (await call(api_key, "GET", `/v1/events?type=${types.join(",")}`)).json().data.events as {
        type: string;
        created: number;
      }[];
    const body = wav(beat(1.2));
    const text = (value: string) => Buffer.from(value).toString("base64");
    const uploaded = await call(api_key, "POST", "/v1/uploads", body, {
      "tus-resumable": "1.0.0",
      "content-type": "application/offset+octet-stream",
      "upload-length": String(body.length),
      "upload-metadata": `kind ${text("audio")},filename ${text("dusk.wav")}`,
    });
    expect(uploaded.statusCode, uploaded.body).toBe(201);
    const audio = String(uploaded.headers.location).split("/").at(-1);
    const { upload } = (await call(api_key, "GET", `/v1/uploads/${audio}`)).json().data;
    expect(upload, upload.rejection).toMatchObject({ status: "ready", analysis: { format: "wav" } });
    const publish_at = "2026-01-02T10:00:00Z";
    const draft = { title: "Dusk", genre: "Trap", price: 30, bpm: 120, audio, publish_at };
    const created = await call(api_key, "POST", "/v1/beats", draft);
    expect(created.statusCode, created.body).toBe(201);
    expect(await events("upload.ready", "beat.created")).toMatchObject([{ type: "upload.ready" }]);

    await advance({ id }, { by: "P2D" });
    expect(await events("beat.created")).toMatchObject([{ created: Date.parse(publish_at) / 1_000 }]);
    const { orders } = await advance({ id }, { by: "P10D", orders_per_day: 1 });
    expect(orders).toBeGreaterThan(0);
    expect(await advance({ id }, { by: "P22D" })).toMatchObject({ payouts: 1 });
    expect(await events("payout.sent", "payout.paid")).toMatchObject([
      { type: "payout.sent", created: Date.parse("2026-02-01") / 1_000 },
      { type: "payout.paid", created: Date.parse("2026-02-03") / 1_000 },
    ]);
    const log = await portal.api.request({ method: "GET", url: `/sandboxes/${id}/licenses/log/checkpoint` });
    expect(Number(log.body.split("\n")[1])).toBeGreaterThanOrEqual(orders);
    await drop({ id });
  }, 240_000);

  test("cannot be created if the account has five", async () => {
    const created = [];
    for (let count = 0; count < 5; count++) created.push(await create(`five ${count}`, "empty"));
    const sixth = await manage("POST", "", { catalogue: "empty" });
    expect([sixth.statusCode, sixth.json().error.details]).toEqual([
      409,
      "The account has 5 sandboxes, the most it may have. Delete one first.",
    ]);
    expect((await manage("GET")).json().data.sandboxes).toHaveLength(5);
    await drop(...created);
  }, 240_000);
});

describe("the clock of a sandbox governs", () => {
  let sandbox: { id: string; api_key: string };
  const beats: number[] = [];
  beforeAll(async () => {
    sandbox = await create("clock");
    const page = (await call(sandbox.api_key, "GET", "/v1/beats?limit=4")).json().data;
    beats.push(...page.beats.map((each: { id: number }) => each.id));
  }, 120_000);
  afterAll(() => drop(sandbox));

  const callSandbox = (method: Method, path: string, body?: object) =>
    call(sandbox.api_key, method, `/v1${path}`, body);
  const buy = (beat_id: number | undefined, license_type: string, payment_method = "pm_card_visa") =>
    callSandbox("POST", "/orders", { beat_id, license_type, payment_method });
  /** Creates an additional key of the sandbox's owner. */
  const newKey = async (plan: string, lifetime: string | null = null): Promise<string> => {
    const key = generateKey(sandbox.id);
    await inSandbox(
      testMode,
      sandbox.id,
      (driver) => driver`
        insert into api_keys (user_id, name, sha256, ends_with, plan, permissions, expires_at)
        select user_id, 'clock', ${sha256(key)}, ${key.slice(-4)}, ${plan}, permissions, sandbox.now() + ${lifetime}::interval
        from api_keys limit 1`,
    );
    return key;
  };
  const pass = (duration: string) => advance(sandbox, { by: duration });
  /** Sets the clock without the events of the skipped time, which would take long for years. */
  const jump = (duration: string) =>
    inSandbox(testMode, sandbox.id, (driver) => driver`update sandbox.state set time = time + ${duration}::interval`);

  /** `prepare` returns a function whose result is compared before and after `wait`. */
  const governed: {
    name: string;
    prepare(): Promise<() => Promise<unknown>>;
    before: unknown;
    wait(): Promise<unknown>;
    after: unknown;
  }[] = [
    {
      name: "the limits of a key",
      prepare: async () => {
        const key = await newKey("standard");
        for (let calls = 0; calls < 10; calls++) await call(key, "GET", "/v1/genres");
        return async () => (await call(key, "GET", "/v1/genres")).statusCode;
      },
      before: 429,
      wait: () => pass("PT1M"),
      after: 200,
    },
    {
      name: "the end of a key",
      prepare: async () => {
        const key = await newKey("internal", "1 hour");
        return async () => (await call(key, "GET", "/v1/genres")).statusCode;
      },
      before: 200,
      wait: () => pass("PT1H"),
      after: 401,
    },
    {
      name: "a hold on an exclusive license",
      prepare: async () => {
        const { order } = (await buy(beats[0], "exclusive", "pm_card_authenticationRequired")).json().data;
        return async () => [
          (await callSandbox("GET", `/orders/${order.id}`)).json().data.order.status,
          (await buy(beats[0], "exclusive")).statusCode,
        ];
      },
      before: ["pending", 409],
      wait: () => pass("PT15M"),
      after: ["failed", 201],
    },
    {
      name: "an open checkout",
      prepare: async () => {
        const { checkout } = (await callSandbox("POST", "/checkouts", { items: [{ beat_id: beats[1] }] })).json().data;
        return async () => (await callSandbox("GET", `/checkouts/${checkout.id}`)).json().data.checkout.status;
      },
      before: "open",
      wait: () => pass("P1D"),
      after: "expired",
    },
    {
      name: "a signed link",
      prepare: async () => {
        const { order } = (await buy(beats[2], "basic")).json().data;
        const { files } = (await callSandbox("GET", `/orders/${order.id}/files`)).json().data;
        const { pathname, search } = new URL(files.at(-1).url);
        return async () => (await portal.api.request({ method: "GET", url: pathname + search })).statusCode;
      },
      before: 200,
      wait: () => pass("PT16M"),
      after: 410,
    },
    {
      name: "the term of a license",
      prepare: async () => {
        const { order } = (await buy(beats[3], "basic")).json().data;
        const { license } = (await callSandbox("GET", `/orders/${order.id}/files`)).json().data;
        return async () => {
          const answer = await callSandbox("POST", `/licenses/${license.id}/may`, { use: "streams", quantity: 1 });
          const { allowed, because, status } = answer.json().data.verdict;
          return [allowed, because.clause, status];
        };
      },
      before: ["yes", "streams", "valid"],
      wait: () => jump("6 years"),
      after: ["no", "years", "expired"],
    },
  ];
  test.each(governed)("$name", async ({ prepare, before, wait, after }) => {
    const look = await prepare();
    expect(await look()).toEqual(before);
    await wait();
    expect(await look()).toEqual(after);
  });
});

describe("bad input", () => {
  let id = "";
  beforeAll(async () => {
    id = (await create("bad", "empty")).id;
  }, 120_000);

  test.each([
    [{ by: "P11Y" }, "ISO 8601 duration in weeks, days"],
    [{ by: "-P1D" }, "goes forward only"],
    [{ by: "PT0S" }, "longer than zero"],
    [{ by: "P3651D" }, "at most P3650D"],
    [{ by: "P1D", orders_per_day: 1_001 }, "orders_per_day field must be from 0 to 1,000"],
    [{ by: "soon" }, "such as P90D or PT1H"],
    [{ by: "P1D", faults: [{ receiver: "slow" }] }, 'a fault that does not exist: "slow"'],
    [
      { by: "P1D", faults: [{ receiver: "down", from: "P2D", to: "P1D" }] },
      '"from" of a fault must be before its "to"',
    ],
    [{ by: "P1D", faults: [{ refunds: "bounce", share: 2 }] }, "from 0 to 1"],
  ])("%j is refused with the remedy", async (body, details) => {
    const response = await manage("POST", `/${id}/advance`, body);
    expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining(details)]);
  });

  test("a live key gets 403 live_key_on_test, a sandbox's key 403 forbidden", async () => {
    const live = await call(liveKey, "GET", "/v1/test/sandboxes");
    expect([live.statusCode, live.json().error.details]).toEqual([403, expect.stringMatching(/^live_key_on_test: /)]);
    const sandbox = await create("manager", "empty");
    const ofSandboxKey = await call(sandbox.api_key, "GET", "/v1/test/sandboxes");
    expect([ofSandboxKey.statusCode, ofSandboxKey.json().error.code]).toEqual([403, "forbidden"]);
    await drop(sandbox);
  });

  test.each(["sandboxes", "sandboxes/{id}/advance", "events"])(
    "POST /test/%s refuses a field that the caller may not set",
    async (path) => {
      for (const field of ["id", "user_id", "created_at", "now", "api_key", "status", "owner_id"]) {
        const response = await call(testKey, "POST", `/v1/test/${path.replace("{id}", id)}`, { [field]: "1" });
        expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining(field)]);
      }
    },
  );

  test("an unknown sandbox is 404, an unknown catalogue 400", async () => {
    expect((await manage("GET", "/nowhere")).statusCode).toBe(404);
    expect((await manage("POST", "", { catalogue: "huge" })).statusCode).toBe(400);
  });
});
