import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { clearCatalogue, importContent, mapped } from "../../../test/harness/imports.ts";

const database = await testDatabase();

beforeEach(() => clearCatalogue(database));

const beats = () => database.driver`select created_at from beats order by id`;

describe("a row", () => {
  test.each([
    ["not a date", "someday"],
    ["a day that does not exist", "2019-02-30"],
    ["before 1900", "1899-12-31"],
    ["in the future", "2026-01-03"],
  ])("is rejected if its date is %s, whereas a row without a date is accepted", async (_, date) => {
    const text = `external_id,title,producer,genre,tempo,key,date\n1,A,P,G,90,,${date}\n2,B,P,G,90,,\n`;
    const { rejects, created } = await importContent(database, text, { mapping: mapped({ created_at: "date" }) });
    expect(created).toBe(1);
    expect(rejects.map(({ reason }) => reason)).toEqual([
      `the created_at (column date) is "${date}", which is not a date from 1900 until now; correct it, or name it in null_words of the field if it means "no date"`,
    ]);
  });

  test("is accepted with a spreadsheet's date; month before day is reported if the mapping has no order", async () => {
    const text = "external_id,title,producer,genre,tempo,key,date\n1,A,P,G,90,,43630\n2,B,P,G,90,,6/14/2019 3:05 PM\n";
    const dates = async () => (await beats()).map(({ created_at }) => created_at);
    const { replaced } = await importContent(database, text, { mapping: mapped({ created_at: "date" }) });
    expect(await dates()).toEqual([new Date("2019-06-14"), new Date("2019-06-14T15:05:00Z")]);
    expect(replaced).toMatchObject([{ line: 3, field: "created_at", problem: "month before the day" }]);
    const ordered = mapped({ created_at: { column: "date", day_order: "month-first" } });
    expect(await importContent(database, text, { mapping: ordered })).toMatchObject({ unchanged: 2, repairs: [] });
  });
});
