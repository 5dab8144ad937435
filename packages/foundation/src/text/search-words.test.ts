import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldWhole, indexedText, isCorrectable, readQuery } from "./search-words.ts";

const words = (text: string): string[] => indexedText(text).words;
const queryWords = (text: string): string[] => readQuery(text).map((word) => word.text);

describe("spellings with the same words", () => {
  test.each([
    ["case", "LOVE", "love"],
    ["accents, composed or not", "Beyoncé", "Beyonce\u0301"],
    ["accents left out", "Sigur Rós", "sigur ros"],
    ["Scandinavian letters", "Mø Ærø Þór", "mo aero thor"],
    ["Polish, Croatian and Maltese letters", "Łódź Đorđe Ħal", "lodz dorde hal"],
    ["the German sharp s", "Straße", "STRASSE"],
    ["the Turkish dotted and dotless i", "İSTANBUL ışık", "istanbul isik"],
    ["ligatures", "Œuvre ﬁlm", "oeuvre film"],
    ["Vietnamese", "Đường phố", "duong pho"],
    ["the Greek final sigma", "ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["Cyrillic yo and short i", "Ёлка Чайковский", "елка Чаиковскии"],
    ["Arabic vowels, tatweel and kinds of alef", "أُغْنِيَة", "اغنيه"],
    ["Arabic letters that tatweel stretches", "حـــب", "حب"],
    ["Persian and Arabic letters", "کتاب یار", "كتاب يار"],
    ["Hebrew points", "שָׁלוֹם", "שלום"],
    ["digits of other scripts", "٣ ۷ ９", "3 7 9"],
    ["full-width letters", "Ｌｏｖｅ", "love"],
    ["mathematical letters", "𝓛𝓸𝓿𝓮", "love"],
    ["half-width and full-width katakana", "ﾎﾞｶﾛ", "ボカロ"],
    ["katakana and hiragana", "ラブ", "らぶ"],
    ["zero-width and bidirectional characters", "lo\u200bve \u202etrap\u202c", "love trap"],
    ["soft hyphens", "mid\u00adnight", "midnight"],
    ["apostrophes of every kind", "Don’t can`t won´t", "dont cant wont"],
    ["signs that stand for letters", "A$AP Ke$ha P!nk $uicideboy$", "asap kesha pink suicideboys"],
    ["variation selectors and skin tones of emoji", "❤️ 👍🏽", "❤ 👍"],
    ["trade marks", "Love™ ©", "love"],
  ])("%s", (_, text, spelling) => {
    expect(words(text)).toEqual(words(spelling));
    expect(queryWords(text)).toEqual(queryWords(spelling));
    expect(words(text)).not.toEqual([]);
  });
});

describe("texts with different words", () => {
  test.each([
    ["voicing marks", "か", "が"],
    ["vowel signs of Indic scripts", "दिल", "दल"],
    ["letters and digits", "o", "0"],
    ["an exclamation mark at the end", "Wham!", "whami"],
    ["a price", "$100", "s100"],
  ])("%s", (_, text, other) => expect(words(text)).not.toEqual(words(other)));
});

describe("a text is indexed under", () => {
  test.each([
    ["words that a sign joins, separately and together", "AC/DC", ["ac", "acdc", "dc"]],
    ["an abbreviation without its full stops", "N.W.A.", ["n", "w", "nwa", "a"]],
    ["the word after an elided article", "L'amour", ["lamour", "l", "amour"]],
    ["a contraction only as a whole", "You're don't rockin'", ["youre", "dont", "rockin"]],
    ["the parts that several apostrophes separate", "Rock'n'Roll", ["rocknroll", "rock", "n", "roll"]],
    ["'and' for an ampersand", "Simon & Garfunkel", ["simon", "and", "garfunkel"]],
    ["the bigrams of a script without spaces, and the last character", "東京都", ["東京", "京都", "都"]],
    ["the bigrams of Thai with vowel signs", "ดีจ", ["ดี", "ีจ", "จ"]],
    ["words next to a script without spaces", "DJ東京 Mix", ["dj", "東京", "京", "mix"]],
    ["Korean words", "사랑 노래", ["사랑", "노래"]],
    ["single emoji", "fire🔥🔥 🇩🇪", ["fire", "🔥", "🇩", "🇪"]],
    ["its signs, if it has no letter", "?!… —", ["?!...—"]],
  ])("%s", (_, text, expected) => expect(words(text)).toEqual(expected));

  test("all its words together, whatever the spacing", () => {
    expect(["AC/DC", "AC DC", "acdc", "A.C.D.C."].map((text) => indexedText(text).whole)).toEqual(
      Array(4).fill("acdc"),
    );
    expect(["Daft Punk", "daftpunk"].map((text) => indexedText(text).whole)).toEqual(Array(2).fill("daftpunk"));
    expect(indexedText("? ??")).toEqual({ words: ["???"], whole: "???" });
    expect(indexedText("\u200b")).toEqual({ words: [], whole: "" });
  });
});

test("correctable words have three to forty letters and no digit", () => {
  const candidates = words(`love 2pac 99 it's AC/DC go ${"x".repeat(41)}`);
  expect(candidates.filter(isCorrectable)).toEqual(["love", "its", "acdc"]);
});

describe("a query is parsed as", () => {
  test.each([
    ["words and numbers", "Blink 182", ["word", "number"]],
    ["a word, if letters and digits mix", "2pac", ["word"]],
    ["a character, for one character of a script without spaces", "愛", ["character"]],
    ["pairs, for several characters of a script without spaces", "愛してる", ["pairs"]],
    ["an ampersand between two words", "R&B", ["word", "ampersand", "word"]],
    ["one symbol, for a query of only signs", " ?!'… ", ["symbol"]],
  ])("%s", (_, q, kinds) => expect(readQuery(q).map(({ kind }) => kind)).toEqual(kinds));
});

test("no text has an empty word, a word of more than 64 characters, or a word with NUL", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      for (const word of [...words(text), ...queryWords(text)]) expect(word).toMatch(/^[^\0]{1,64}$/u);
    }),
    { numRuns: 500 },
  );
});

test("a text of a million characters has at most 1,000 words", () => {
  for (const text of [
    "x".repeat(1e6),
    "x ".repeat(1e6),
    "東".repeat(1e6),
    "$".repeat(1e6),
    "'".repeat(1e6),
    "ﷺ".repeat(1e6),
  ])
    expect(words(text).length).toBeLessThanOrEqual(1_000);
});

describe("a folded whole text", () => {
  test.each([
    ["Lo-Fi", "lofi"],
    ["LO FI!", "lofi"],
    ["Nîght Drive", "nightdrive"],
    ["Don't $top", "dontstop"],
    ["R&B", "randb"],
    ["東京 Nights", "東京nights"],
    ["!!!", "!!!"],
    ["", ""],
  ])("of %j is %j", (text, folded) => {
    expect(foldWhole(text)).toBe(folded);
  });

  test("is the same whether or not a text is plain ASCII", () => {
    const ascii = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(
        ascii.filter((text) => /[a-z0-9]/i.test(text)),
        (text) => {
          // A soft hyphen is ignored and is not ASCII, so it forces the general path.
          expect(foldWhole(text)).toBe(foldWhole(`${text}\u00ad`));
        },
      ),
      { seed: 1 },
    );
  });
});
