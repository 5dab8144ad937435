import { describe, expect, it } from "vitest";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { AnswerCache, PlainAnswer } from "./response-cache.ts";

it.each(["br", "gzip"] as const)("what is kept, plain and in %s, keeps no memory but its own", async (encoding) => {
  const answer = new PlainAnswer(JSON.stringify({ title: "Été ".repeat(500) }));
  answer.settle();
  const encoded = await answer.encoded(encoding);
  for (const { body } of [answer, encoded]) expect(body.buffer.byteLength).toBe(body.length);
  expect(JSON.parse(answer.body.toString())).toEqual({ title: "Été ".repeat(500) });
});

describe("the answer cache", () => {
  const kept = (text: string) => ({
    answer: new PlainAnswer(text),
    route: { operationId: "listBeats", permission: "beats:read" as const },
  });

  it("keeps what is asked for twice, and nothing for those who ask once", () => {
    const version = new CatalogueVersion();
    const cache = new AnswerCache(version);
    const again = kept("again");
    for (let page = 1; page <= 100; page++)
      cache.keep("reference", `/v1/beats?page=${page}`, version.current, kept("x"));
    cache.keep("reference", "/v1/beats?page=7", version.current, again);
    for (let page = 1; page <= 100; page++)
      expect(cache.find("reference", `/v1/beats?page=${page}`)?.answer).toBe(page === 7 ? again.answer : undefined);
    expect(cache.find("console", "/v1/beats?page=7")).toBeNull();
  });

  it("keeps nothing that was read before a change, and forgets with the next one", () => {
    const version = new CatalogueVersion();
    const cache = new AnswerCache(version);
    const keep = (readUnder: number) => cache.keep("reference", "/v1/beats", readUnder, kept("x"));
    keep(version.current);
    const before = version.current;
    version.bump();
    keep(before);
    expect(cache.find("reference", "/v1/beats")).toBeNull();
    keep(version.current);
    expect(cache.find("reference", "/v1/beats")).not.toBeNull();
    version.bump();
    expect(cache.find("reference", "/v1/beats")).toBeNull();
  });
});
