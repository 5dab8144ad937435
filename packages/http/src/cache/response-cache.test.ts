import { describe, expect, it } from "vitest";
import { Representation } from "../negotiation/representation.ts";
import { Doorkeeper, ResponseCache } from "./response-cache.ts";

it.each(["br", "gzip"] as const)(
  "a cached response, plain and in %s, retains only its own memory",
  async (encoding) => {
    const cached = new Representation(JSON.stringify({ title: "Été ".repeat(500) }), "application/json");
    cached.detach();
    const encoded = await cached.encoded(encoding);
    for (const { body } of [cached, encoded]) expect(body.buffer.byteLength).toBe(body.length);
    expect(JSON.parse(cached.body.toString())).toEqual({ title: "Été ".repeat(500) });
  },
);

describe("the response cache", () => {
  const representation = (text: string) => new Representation(text, "application/json");

  it("admits a response on its second request", () => {
    const version = { current: 1 };
    const cache = new ResponseCache(version);
    const repeated = representation("repeated");
    for (let page = 1; page <= 100; page++)
      cache.add("reference", `/v1/beats?page=${page}`, version.current, representation("x"));
    cache.add("reference", "/v1/beats?page=7", version.current, repeated);
    for (let page = 1; page <= 100; page++)
      expect(cache.find("reference", `/v1/beats?page=${page}`)).toBe(page === 7 ? repeated : null);
    expect(cache.find("console", "/v1/beats?page=7")).toBeNull();
  });

  it("rejects a response that was read before a change, and invalidates a cached response at the next change", () => {
    const version = { current: 1 };
    const cache = new ResponseCache(version);
    const add = (readUnder: number) => cache.add("reference", "/v1/beats", readUnder, representation("x"));
    add(version.current);
    const before = version.current;
    version.current++;
    add(before);
    expect(cache.find("reference", "/v1/beats")).toBeNull();
    add(version.current);
    expect(cache.find("reference", "/v1/beats")).not.toBeNull();
    version.current++;
    expect(cache.find("reference", "/v1/beats")).toBeNull();
  });
});

it("the doorkeeper distinguishes seen from unseen keys", () => {
  const doorkeeper = new Doorkeeper();
  const keys = Array.from({ length: 5_000 }, (_, number) => `reference/v1/beats?page=${number}`);
  expect(keys.filter((key) => doorkeeper.seenBefore(key))).toEqual([]);
  // Some keys have overwritten others.
  expect(keys.filter((key) => doorkeeper.seenBefore(key)).length).toBeGreaterThan(4_500);
});

it("the doorkeeper forgets a key after a million others", () => {
  const doorkeeper = new Doorkeeper();
  doorkeeper.seenBefore("/v1/beats");
  for (let number = 0; number < 1_000_000; number++) doorkeeper.seenBefore(`/v1/beats/${number}`);
  expect(doorkeeper.seenBefore("/v1/beats")).toBe(false);
  expect(doorkeeper.seenBefore("/v1/beats")).toBe(true);
});
