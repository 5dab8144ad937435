import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCount, parseDecimal, readCents } from "./read-number.ts";

test.each([
  ["122.036", 122.036],
  ["130.94299999999998", 130.94299999999998],
  ["120,5", 120.5],
  ["1.2e2", 120],
  [" 90 ", 90],
  ["+90", 90],
  ["-1", -1],
  [".5", 0.5],
  ["1,234.5", 1234.5],
  ["1.234,5", 1234.5],
  ["128,036", 128.036],
  ["１２８．５", 128.5],
  ["١٢٨٫٥", 128.5],
])("%j is a number", (text, value) => {
  expect(parseDecimal(text)).toBe(value);
});

test.each(["", "NaN", "Infinity", "fast", "1e999", "0x10", "1,23.5", "12 bpm", "1.2.3"])(
  "%j is not a number",
  (text) => {
    expect(parseDecimal(text)).toBeNull();
  },
);

test("a number that JavaScript formats is parsed to the same number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      // String(-0) is 0.
      expect(parseDecimal(String(value))).toBe(value + 0);
    }),
  );
});

test.each([
  ["12", 12],
  ["12.0", 12],
  ["1,234,567", 1_234_567],
  ["1.234", 1234],
  ["1 234", 1234],
  ["1’234", 1234],
  ["12,34,567", 1_234_567],
  ["1.23E+06", 1_230_000],
  ["１２", 12],
  ["0", 0],
  ["-1", null],
  ["1.5", null],
  ["many", null],
  ["99999999999999999999", null],
])("%j is parsed as the count %s", (text, count) => {
  expect(parseCount(text)).toBe(count);
});

describe("an amount", () => {
  test.each([
    ["29.9", 2990],
    ["29.99", 2999],
    ["29,99 €", 2999],
    ["$29", 2900],
    ["USD 29.90", 2990],
    ["kr. 299", 29_900],
    ["0", 0],
    ["0.1", 10],
    [".99", 99],
    [",99", 99],
    ["29.", 2900],
    ["29,-", 2900],
    ["29.–", 2900],
    ["1.299,-", 129_900],
    ["0.999", 100],
    ["1299.999", 130_000],
    ["1.0050", 101],
    ["19.989999771118164", 1999],
    ["29.899999999999999", 2990],
    ["1,234.50", 123_450],
    ["€1.234,56", 123_456],
    ["1,234,567.89", 123_456_789],
    ["1.234.567,89", 123_456_789],
    ["12,34,567.50", 123_456_750],
    ["1 234,50", 123_450],
    ["1\u00a0234,50", 123_450],
    ["1\u202f234", 123_400],
    ["1’299.00", 129_900],
    ["1'299.-", 129_900],
    ["￥１，２３４．５０", 123_450],
    ["٢٩٫٩٠", 2990],
    ["R$ 1.234,50", 123_450],
    ["usd 29.90", 2990],
    ["29.90 eur", 2990],
    ["US $29.90", 2990],
    ["\u200f29.90 ₪", 2990],
    ["299/-", 29_900],
    ["299:-", 29_900],
    ["US$29.90", 2990],
    ["1 234,50 zł", 123_450],
  ])("%j is %i cents", (text, cents) => {
    expect(readCents(text)).toBe(cents);
  });

  test.each(["1,299", "1.299", "$2,500", "¥1,500", "29.900", "2.500 €"])(
    "%j is unclear, since the mark may separate thousands or decimals",
    (text) => {
      expect(readCents(text)).toBe("unclear");
    },
  );

  test("is never unclear if the decimal mark is set, and is rejected with another decimal mark", () => {
    expect(["1,299", "1.299", "29.90", "1,299.5", "29,90", "1.299,50"].map((text) => readCents(text, "."))).toEqual([
      129_900,
      130,
      2990,
      129_950,
      "not an amount",
      "not an amount",
    ]);
    expect(["1,299", "1.299", "29,90", "1.299,50", "29.90"].map((text) => readCents(text, ","))).toEqual([
      130,
      129_900,
      2990,
      129_950,
      "not an amount",
    ]);
  });

  test.each(["-5", "−5", "$-5", "-$5", "5-", "(5.00)", "($5)", "-1,234.50"])("%j is negative", (text) => {
    expect(readCents(text)).toBe("negative");
  });

  test.each([
    "free",
    "",
    "-",
    "n/a",
    "29.90-59.90",
    "29/59",
    "1e3",
    "1.3E+03",
    "10k",
    "99¢",
    "29⁹⁰",
    "½",
    "1,23.50",
    "1.2.3",
    "29 99",
    "1 234 56",
    "12 bpm",
    "29 90,00",
    "0x10",
    "NaN",
    "Infinity",
    "about 5",
    "(about 5)",
    "2019-06-14",
    "--5",
  ])("%j is not an amount", (text) => {
    expect(readCents(text)).toBe("not an amount");
  });

  test("with two decimals, formatted in any locale, is parsed to the same cents", () => {
    const cents = fc.integer({ min: 0, max: 2_000_000_000 });
    fc.assert(
      fc.property(
        cents,
        fc.constantFrom("en-US", "de-DE", "fr-FR", "de-CH", "en-IN", "ar-EG", "sv-SE"),
        (value, locale) => {
          const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(value / 100);
          expect(readCents(text)).toBe(value);
        },
      ),
    );
  });
});
