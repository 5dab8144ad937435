import { expect, it, test } from "vitest";
import { locales } from "./locales.ts";
import { translationOf } from "./text.ts";

const english = { hello: "Hello {name}", plain: "Yes", beats: { one: "1 beat", other: "{count} beats" } } as const;
const translation = translationOf<typeof english>();

test("a translation compiles only with the keys and placeholders of the English texts", () => {
  const complete = translation({
    hello: "Hallo {name}",
    plain: "Ja",
    beats: { one: "1 Beat", other: "{count} Beats" },
  });
  expect(complete.hello).toBe("Hallo {name}");
  // @ts-expect-error A key is missing.
  translation({ hello: "Hallo {name}", beats: { other: "{count} Beats" } });
  // @ts-expect-error A placeholder is missing.
  translation({ hello: "Hallo", plain: "Ja", beats: { other: "{count} Beats" } });
  // @ts-expect-error The English text has no such placeholder.
  translation({ hello: "Hallo {name}", plain: "Ja {x}", beats: { other: "{count} Beats" } });
  // @ts-expect-error The English texts have no such key.
  translation({ hello: "Hallo {name}", plain: "Ja", beats: { other: "{count} Beats" }, more: "Mehr" });
});

test("a text accepts exactly the values of its placeholders", () => {
  const { en } = locales;
  expect(en.t("basket.pay", { price: "$1" })).toBe("Pay $1");
  // @ts-expect-error The value has another name.
  expect(en.t("basket.pay", { amount: "$1" })).toBe("Pay {price}");
  // @ts-expect-error The value is missing.
  expect(en.t("basket.pay")).toBe("Pay {price}");
});

it.each([
  [0, "0 beats", "0 Beats"],
  [1, "1 beat", "1 Beat"],
  [1234, "1,234 beats", "1.234 Beats"],
])("writes %i beats by the rules of each language", (count, inEnglish, inGerman) => {
  expect(locales.en.t("beats.count", { count })).toBe(inEnglish);
  expect(locales.de.t("beats.count", { count })).toBe(inGerman);
});

test("formats prices, amounts, sizes, dates, times and lists by the conventions of the language", () => {
  const { en, de } = locales;
  const at = new Date("2026-11-26T12:00:00Z");
  expect([en.price(1234.5, "USD"), de.price(1234.5, "USD")]).toEqual(["$1,234.50", "1.234,50\u00a0$"]);
  expect([en.amount(123456, "EUR"), de.amount(123456, "EUR")]).toEqual(["1234.56 EUR", "1234,56 EUR"]);
  expect([en.size(1_540_000), de.size(1_540_000)]).toEqual(["1.5 MB", "1,5 MB"]);
  expect([en.day(at), de.day(at)]).toEqual(["26 November 2026", "26. November 2026"]);
  expect([en.time(at, "Europe/Berlin"), de.time(at, "Europe/Berlin")]).toEqual(["13:00 CET", "13:00 MEZ"]);
  expect([en.list(["a", "b"]), de.list(["a", "b"])]).toEqual(["a and b", "a und b"]);
});

test("a value with braces is inserted as it is", () => {
  expect(locales.en.t("beat.titleBy", { title: "{producer}", producer: "$&" })).toBe("{producer} by $&");
});
