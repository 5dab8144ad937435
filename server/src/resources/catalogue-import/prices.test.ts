import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { clearCatalogue, importContent, plainHeader, plainMapping } from "../../../test/harness/imports.ts";

const database = await testDatabase();

beforeEach(() => clearCatalogue(database));

const beats = () => database.driver`select price_cents from beats order by id`;

describe("a row", () => {
  // The header of the harness has no column for prices, so the column `key` serves as one.
  const priced = { ...plainMapping, prices: { column: "key", null_words: ["TBA"] } };
  const decimalMarkHint = 'say which in the mapping, with "decimal_mark": "." or "," in its prices';
  const correctionHint = "correct it, or name it in null_words of the mapping's prices if it stands for no price";

  test.each([
    ["free", `is "free", which is not an amount such as 29.90; ${correctionHint}`],
    ["-5", 'is "-5", which is below 0'],
    ['"1,299"', `is "1,299", which may be thousands or decimals; ${decimalMarkHint}`],
    ["$2.500", `is "$2.500", which may be thousands or decimals; ${decimalMarkHint}`],
    ["1e3", `is "1e3", which is not an amount such as 29.90; ${correctionHint}`],
  ])("is rejected if its price is %s", async (price, reason) => {
    const { created, rejects } = await importContent(database, `${plainHeader}1,T,P,G,90,${price}\n`, {
      mapping: priced,
    });
    expect([created, rejects.map((reject) => reject.reason)]).toEqual([0, [`the price (column key) ${reason}`]]);
  });

  test.each(["", "TBA"])("gets the default price without a repair if its price is '%s'", async (price) => {
    expect(await importContent(database, `${plainHeader}1,T,P,G,90,${price}\n`, { mapping: priced })).toMatchObject({
      created: 1,
      repairs: [],
    });
    expect((await beats()).map((beat) => beat.price_cents)).toEqual([1999]);
  });

  test.each([
    ["34.989999771118164", 3499],
    ['"€1.234,56"', 123_456],
  ])("has the price %s in cents without a repair", async (price, cents) => {
    expect(await importContent(database, `${plainHeader}1,T,P,G,90,${price}\n`, { mapping: priced })).toMatchObject({
      created: 1,
      repairs: [],
    });
    expect((await beats()).map((beat) => beat.price_cents)).toEqual([cents]);
  });

  test("has an unambiguous price if the mapping has a decimal mark", async () => {
    const mapping = { ...plainMapping, prices: { column: "key", decimal_mark: "." } };
    const { created, rejects } = await importContent(
      database,
      `${plainHeader}1,T,P,G,90,"$2,500"\n2,T,P,G,90,1.299\n3,T,P,G,90,"29,90"\n`,
      { mapping },
    );
    expect(created).toBe(2);
    expect((await beats()).map((beat) => beat.price_cents)).toEqual([250_000, 130]);
    expect(rejects[0]?.reason).toMatch(
      /is "29,90", which is not an amount such as 29\.90 with the decimal mark "\."; correct it/,
    );
  });

  test("is rejected if its price in cents has decimals", async () => {
    const mapping = { ...plainMapping, prices: { column: "key", unit: "cents" } };
    const { rejects } = await importContent(database, `${plainHeader}1,T,P,G,90,29.90\n`, { mapping });
    expect(rejects[0]?.reason).toBe(
      `the price (column key) is "29.90", which is not a whole number of cents, 0 or more; ${correctionHint}`,
    );
  });

  test("in JSON may give the price as a number or as a string", async () => {
    const text =
      '{"title":"T","producer":"P","tempo":90,"key":1.299}\n{"title":"U","producer":"P","tempo":90,"key":"1,234.50"}\n';
    await importContent(database, text, { name: "a.jsonl", mapping: priced });
    expect((await beats()).map((beat) => beat.price_cents)).toEqual([130, 123_450]);
  });
});
