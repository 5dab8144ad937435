import { conflict } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { RenderedForms } from "@beatmarket/http/pipeline/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../test/harness/database/database.ts";
import { IdempotencyKeys, type KeyedRequest } from "./idempotency.ts";

const { query: db, driver } = await testDatabase();
const [user] = await driver<{ id: number }[]>`
  insert into users (username, display_name) values ('ada', 'Ada'), ('bob', 'Bob') returning id`;
const userId = user?.id ?? 0;
const clock = new FakeClock();
const keys = new IdempotencyKeys(db, clock, { waitUpToMs: 200 });

beforeEach(() => driver`delete from idempotency_keys`);

const request = (changes: Partial<KeyedRequest> = {}): KeyedRequest => ({
  userId,
  key: "key-1",
  operation: "createOrder",
  input: { params: {}, body: { beat_id: 1, license_type: "basic" } },
  ...changes,
});
const rendered: RenderedForms = { reference: '{"a":1}', console: '{"b":1}', location: "/orders/1" };
const never = () => Promise.reject(new Error("executed again"));

describe("a key", () => {
  it("executes its request once in 24 hours; a repeated request gets the same response", async () => {
    const runs: string[] = [];
    const execute = async (run: string) => {
      runs.push(run);
      return rendered;
    };
    expect(await keys.once(request(), execute)).toEqual({ rendered, replayed: false });
    clock.advance(24 * 3_600_000 - 1);
    expect(await keys.once(request(), never)).toEqual({ rendered, replayed: true });
    clock.advance(1);
    expect(await keys.once(request(), execute)).toEqual({ rendered, replayed: false });
    expect(new Set(runs).size).toBe(2);
  });

  it("identifies the same request with any order of fields", async () => {
    await keys.once(request(), async () => rendered);
    const reordered = request({ input: { params: {}, body: { license_type: "basic", beat_id: 1 } } });
    expect(await keys.once(reordered, never)).toMatchObject({ replayed: true });
  });

  it("is refused with another body, parameter, operation or If-Match: 409", async () => {
    await keys.once(request(), async () => rendered);
    for (const other of [
      request({ input: { params: {}, body: { beat_id: 2, license_type: "basic" } } }),
      request({ input: { params: { order_id: 1 }, body: { beat_id: 1, license_type: "basic" } } }),
      request({ operation: "createRefund" }),
      request({ input: { ...request().input, ifMatch: '"v1-0"' } }),
    ])
      await expect(keys.once(other, never)).rejects.toMatchObject({ status: 409, code: "invalid_request" });
  });

  it("belongs to one account", async () => {
    await keys.once(request(), async () => rendered);
    const other = { ...rendered, reference: "{}" };
    expect(await keys.once(request({ userId: userId + 1 }), async () => other)).toEqual({
      rendered: other,
      replayed: false,
    });
  });

  it.each(["", " ", "a b", "é", "a".repeat(256), "a\tb", "one, two"])("%j is 400", async (key) => {
    await expect(keys.once(request({ key }), never)).rejects.toMatchObject({
      status: 400,
      details: expect.stringContaining("Idempotency-Key"),
    });
  });

  it("of 255 characters is accepted", async () => {
    expect(await keys.once(request({ key: "~".repeat(255) }), async () => rendered)).toMatchObject({ replayed: false });
  });
});

describe("the stored key", () => {
  const readStored = async (key: string) => {
    expect(await keys.once(request({ key }), async () => rendered)).toEqual({ rendered, replayed: false });
    expect(await keys.once(request({ key }), never)).toEqual({ rendered, replayed: true });
    return (await driver<{ key: string }[]>`select key from idempotency_keys`).map((row) => row.key);
  };

  it("is the unchanged key, even for a UUID whose digits look like a card number", async () => {
    expect(await readStored("abcd4242-4242-4242-4242-abcdefabcdef")).toEqual(["abcd4242-4242-4242-4242-abcdefabcdef"]);
  });

  it.each(["4242424242424242", "order-4242-4242-4242-4242", `whsec_${"a".repeat(32)}`])(
    "is stored as a hash if it looks like a card number or a secret (%s)",
    async (key) => {
      expect(await readStored(key)).toEqual([expect.stringMatching(/^sha256:[\da-f]{64}$/)]);
    },
  );
});

describe("a request that fails", () => {
  it("with a refusal stores nothing", async () => {
    await expect(keys.once(request(), () => Promise.reject(conflict("sold")))).rejects.toMatchObject({ status: 409 });
    expect(await driver`select key from idempotency_keys`).toEqual([]);
    expect(await keys.once(request(), async () => rendered)).toEqual({ rendered, replayed: false });
  });

  it("with a server error is continued by the retry, as the same run", async () => {
    const runs: string[] = [];
    const failing = async (run: string): Promise<RenderedForms> => {
      runs.push(run);
      throw new Error("disk on fire");
    };
    await expect(keys.once(request(), failing)).rejects.toThrow("disk on fire");
    await keys.once(request(), async (run) => {
      runs.push(run);
      return rendered;
    });
    expect(runs[0]).toBe(runs[1]);
  });
});

describe("while the first request runs", () => {
  it("the other requests wait for it and get the same response", async () => {
    const { promise, resolve } = Promise.withResolvers<RenderedForms>();
    let executed = 0;
    const execute = () => {
      executed++;
      return promise;
    };
    const requests = Array.from({ length: 20 }, () => keys.once(request(), execute));
    setTimeout(() => resolve(rendered), 50);
    const responses = await Promise.all(requests);
    expect(executed).toBe(1);
    expect(responses.filter(({ replayed }) => replayed)).toHaveLength(19);
    expect(responses.every((response) => response.rendered.reference === rendered.reference)).toBe(true);
  });

  it("a request that has waited as long as it may gets 409 with Retry-After", async () => {
    const { promise, resolve } = Promise.withResolvers<RenderedForms>();
    const first = keys.once(request(), () => promise);
    await expect.poll(() => driver`select key from idempotency_keys`).toHaveLength(1);
    clock.advance(12_500);
    await expect(keys.once(request(), never)).rejects.toMatchObject({
      status: 409,
      headers: { "retry-after": "48" },
    });
    resolve(rendered);
    expect(await first).toMatchObject({ replayed: false });
  });

  it("a retry takes over after a minute, not before, if the run does not end", async () => {
    const runs: string[] = [];
    const { promise, resolve } = Promise.withResolvers<RenderedForms>();
    const first = keys.once(request(), (run) => {
      runs.push(run);
      return promise;
    });
    await expect.poll(() => runs).toHaveLength(1);
    clock.advance(59_999);
    await expect(keys.once(request(), never)).rejects.toMatchObject({ status: 409 });
    clock.advance(1);
    await keys.once(request(), async (run) => {
      runs.push(run);
      return rendered;
    });
    expect(runs).toEqual([runs[0], runs[0]]);
    resolve({ ...rendered, reference: "late" });
    await first;
    expect(await keys.once(request(), never)).toEqual({ rendered, replayed: true });
  });
});

it("sweeping deletes keys that are 24 hours old, and no newer ones", async () => {
  await keys.once(request({ key: "old" }), async () => rendered);
  clock.advance(12 * 3_600_000);
  await keys.once(request({ key: "new" }), async () => rendered);
  clock.advance(12 * 3_600_000);
  await keys.sweep();
  expect(await driver`select key from idempotency_keys`).toEqual([{ key: "new" }]);
});
