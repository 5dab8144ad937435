import { describe, expect, test } from "vitest";
import { recordText } from "./record.ts";
import { tableText } from "./table.ts";
import { clipped, widthOf } from "./text.ts";

const beats = [
  { id: 1, title: "Telephone & Shadow", producer_name: "Second Floor Weather", audio_url: "https://x/1.wav", bpm: 79 },
  { id: 22, title: "青い高速道路", producer_name: "水曜日の庭", audio_url: "https://x/2.wav", bpm: null },
];

describe("a table", () => {
  test("aligns columns by their width in a terminal, and omits addresses", () => {
    expect(tableText(beats)).toBe(
      [
        "id  title               producer_name         bpm",
        "1   Telephone & Shadow  Second Floor Weather  79",
        "22  青い高速道路        水曜日の庭",
      ].join("\n"),
    );
  });

  test.each([200, 60, 40, 24, 10, 1])("is never wider than %i columns", (width) => {
    for (const line of tableText(beats, width).split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });

  test("shows no control characters of the data, which could change the terminal", () => {
    const text = tableText([{ title: "\u001b[31mred\u001b[0m\nnext\u202e" }]);
    expect(text).toBe("title\n[31mred [0m next");
  });
});

test("a text is cut only between visible characters", () => {
  expect(clipped("👩‍🚀👩‍🚀👩‍🚀", 5)).toBe("👩‍🚀👩‍🚀…");
});

test("a record shows licenses side by side", () => {
  const licenses = [
    { type: "basic", price: 29.9 },
    { type: "exclusive", price: 359.9 },
  ];
  expect(recordText({ id: 1, genre: { id: 3, name: "Ambient" }, licenses })).toBe(
    ["id     1", "genre  Ambient", "", "licenses", "type   basic  exclusive", "price  29.9   359.9"].join("\n"),
  );
});

test("a record aligns the fields of an object within it, and leaves out empty ones", () => {
  expect(recordText({ sandbox: { id: "3n0v", now: "2026-01-01", webhook_secret: null }, orders: 5 })).toBe(
    ["sandbox.id   3n0v", "sandbox.now  2026-01-01", "orders       5"].join("\n"),
  );
});
