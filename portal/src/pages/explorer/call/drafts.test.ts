import { describe, expect, test } from "vitest";
import document from "../../../../../contract/openapi.json" with { type: "json" };
import { changedDraft, newDraft, readDrafts, writeDrafts } from "./drafts.ts";
import { readOperations } from "./operations.ts";

const operations = readOperations(document as never);
const createOrder = operations.find(({ id }) => id === "createOrder") as (typeof operations)[number];

function storage({ isFull = false } = {}): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException("full", "QuotaExceededError");
      items.set(key, value);
    },
  } as Storage;
}

describe("a draft", () => {
  const drafts = { listBeats: { limit: "3" } };

  test("that was written while signed out is taken over by the account that signs in", () => {
    const tab = storage();
    expect(readDrafts(tab, 1)).toEqual({});
    writeDrafts(tab, null, drafts);
    expect(readDrafts(tab, 1)).toEqual(drafts);
  });

  test("is readable only by the account that wrote it", () => {
    const tab = storage();
    writeDrafts(tab, 1, drafts);
    expect(readDrafts(tab, 1)).toEqual(drafts);
    expect(readDrafts(tab, 2)).toEqual({});
    expect(readDrafts(tab, null)).toEqual({});
  });

  test("is lost without an error if the storage is full or its text is damaged", () => {
    const full = storage({ isFull: true });
    expect(() => writeDrafts(full, 1, { listBeats: {} })).not.toThrow();
    expect(readDrafts({ getItem: () => "{" } as never, 1)).toEqual({});
  });
});

describe("the Idempotency-Key", () => {
  test("is new in each form whose operation accepts an Idempotency-Key", () => {
    const key = newDraft(createOrder)["Idempotency-Key"];
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(newDraft(createOrder)["Idempotency-Key"]).not.toBe(key);
    const listBeats = operations.find(({ id }) => id === "listBeats") as typeof createOrder;
    expect(newDraft(listBeats)).toEqual({});
  });

  test("stays until the call is sent; the next change of the form replaces it", () => {
    const draft = { "Idempotency-Key": "k1", beat_id: "1" };
    expect(changedDraft(draft, "beat_id", "2", undefined)).toEqual({ "Idempotency-Key": "k1", beat_id: "2" });
    expect(changedDraft(draft, "beat_id", "2", "k0")["Idempotency-Key"]).toBe("k1");
    expect(changedDraft(draft, "beat_id", "2", "k1")["Idempotency-Key"]).not.toBe("k1");
    expect(changedDraft(draft, "Idempotency-Key", "k2", "k1")["Idempotency-Key"]).toBe("k2");
  });
});
