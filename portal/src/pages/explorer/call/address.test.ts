import { describe, expect, test } from "vitest";
import document from "../../../../../contract/openapi.json" with { type: "json" };
import { readExplorerSearch } from "../explorer-search.ts";
import { addressOf, haveSameAddress, valuesIn } from "./address.ts";
import { initialValues } from "./explorer-call.ts";
import { type Operation, readOperations } from "./operations.ts";

const operations = readOperations(document as never);
const operation = (id: string): Operation => {
  const match = operations.find((each) => each.id === id);
  if (match === undefined) throw new Error(`There is no ${id}.`);
  return match;
};

describe("field values in the page's URL", () => {
  test("never collide: no operation has a field named like a parameter of the page, such as `form` (the response form)", () => {
    const ownParameters = Object.keys(readExplorerSearch({}));
    expect(ownParameters).toContain("form");
    expect(operations.flatMap(({ fields }) => fields).filter(({ name }) => ownParameters.includes(name))).toEqual([]);
  });

  test("survive the round trip for every operation", () => {
    for (const each of operations) {
      const values = {
        ...initialValues(each),
        ...Object.fromEntries(each.fields.map(({ name }) => [name, "a&b=ü,1"])),
      };
      const { "Idempotency-Key": _, ...expectedValues } = values;
      const query = new URLSearchParams({ ...addressOf(each, values), form: "console" }).toString();
      expect(valuesIn(Object.fromEntries(new URLSearchParams(query)), each)).toEqual(expectedValues);
    }
  });

  test("never include the Idempotency-Key, which would turn a new call into a repetition", () => {
    const values = { beat_id: "7", payment_method: "pm_card_visa", "Idempotency-Key": "k1" };
    expect(addressOf(operation("createOrder"), values)).toEqual({ beat_id: "7", payment_method: "pm_card_visa" });
    expect(valuesIn({ "Idempotency-Key": "k1", form: "console" }, operation("createOrder"))).toEqual({});
  });

  test("include empty required fields, which would otherwise be filled with examples", () => {
    expect(addressOf(operation("getBeat"), { beat_id: "" })).toEqual({ beat_id: "" });
    expect(addressOf(operation("listBeats"), { limit: "" })).toEqual({});
  });

  test("leave out a field that is too long for a URL, but keep later ones that fit", () => {
    const values = { title: "Dawn", description: "x".repeat(5_000), status: "draft", genre: "3" };
    expect(Object.keys(addressOf(operation("createBeat"), values))).not.toContain("description");
    expect(addressOf(operation("createBeat"), values)).toMatchObject({ title: "Dawn", status: "draft" });
    const longValues = Object.fromEntries(operation("listBeats").fields.map(({ name }) => [name, "ü".repeat(300)]));
    expect(new URLSearchParams(addressOf(operation("listBeats"), longValues)).toString().length).toBeLessThan(4_200);
    expect(haveSameAddress(operation("createBeat"), values, { ...values, description: "" })).toBe(true);
  });

  test("are absent if the URL has neither a field nor `form`, so that the draft stays", () => {
    expect(valuesIn({ operation: "listBeats", language: "ruby" }, operation("listBeats"))).toBeNull();
    expect(valuesIn({ operation: "listBeats", form: "console" }, operation("listBeats"))).toEqual({});
  });

  test("ignore parameters that are not fields of the operation", () => {
    expect(valuesIn({ limit: 3, beat_id: "1", ["__proto__"]: "x" }, operation("listBeats"))).toEqual({ limit: "3" });
  });
});
