import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRightToLeft, setTitle, shorten } from "./cover-text.ts";
import { type CoverBeat, drawCover } from "./drawn-cover.ts";

const beat = (traits: Partial<CoverBeat>): CoverBeat => ({
  id: 1,
  title: "Midnight Drive",
  producerName: "Nova Keys",
  genreName: "House",
  ...traits,
});

const titles = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 200 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
  fc.constantFrom(
    "夜の東京を走り抜ける列車と雨のメロディー",
    "مرحبا بالعالم",
    "🔥🔥 FIRE",
    "W".repeat(300),
    "\u202Eevil\u0000",
  ),
);

describe("a cover", () => {
  test("shows title, producer and genre", () => {
    const svg = drawCover(beat({}));
    expect(svg).toMatch(/<tspan[^>]*>Midnight<\/tspan><tspan[^>]*>Drive<\/tspan>/);
    expect(svg).toContain(">Nova Keys</text>");
    expect(svg).toContain(">HOUSE</text>");
  });

  test("has the same drawing each time for the same beat, and different drawings for different beats", () => {
    expect(drawCover(beat({}))).toBe(drawCover(beat({})));
    expect(drawCover(beat({ id: 2 }))).not.toBe(drawCover(beat({})));
  });

  test("escapes every text, so that a text adds no element and no attribute", () => {
    const hostile = `"/><script>alert(1)</script><image href='https://x.example/'/>&lt;`;
    const svg = drawCover(beat({ title: hostile, producerName: hostile, genreName: hostile }));
    expectWellFormed(svg);
    expect(svg).not.toMatch(/<script|<image/);
  });

  test("is well-formed XML of less than 20,000 characters with any texts, and no element loads anything", () => {
    fc.assert(
      fc.property(fc.nat(), titles, titles, titles, (id, title, producerName, genreName) => {
        const svg = drawCover({ id, title, producerName, genreName });
        expectWellFormed(svg);
        expect(svg.length).toBeLessThan(20_000);
      }),
    );
  });

  test("aligns a right-to-left title at the right edge", () => {
    expect(drawCover(beat({ title: "مرحبا" }))).toMatch(/direction="rtl"><tspan x="592"/);
    expect(drawCover(beat({}))).not.toContain("rtl");
  });
});

describe("a title", () => {
  test.each([
    ["Golden Hour", ["Golden", "Hour"]],
    ["I Don't Care (with Justin Bieber)", ["I Don't Care", "(with Justin", "Bieber)"]],
    ["夜の東京を走り抜ける列車", ["夜の東京を", "走り抜ける", "列車"]],
  ])("%s breaks between words", (title, lines) => {
    expect(setTitle(title, 544).lines).toEqual(lines);
  });

  test.each(["Missing Lighthouses", "Basement & Thunder", "Umbrella at Midnight", "WILLOW MOUNTAIN"])(
    "%s stays within the cover in a wide font",
    (title) => {
      const { lines, fontSize } = setTitle(title, 544);
      for (const line of lines) expect(fontSize * dejaVuEms(line), line).toBeLessThanOrEqual(544);
    },
  );

  test("ends in an ellipsis after four lines if it is too long", () => {
    const { lines } = setTitle("word ".repeat(100), 544);
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toMatch(/…$/);
  });

  test("is complete if it has at most 30 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), (title) => {
        const { lines } = setTitle(title, 544);
        expect(lines.join("").replace(/\s/g, "")).toBe(title.replace(/\s/g, ""));
      }),
    );
  });

  test("is shortened by whole characters", () => {
    expect(shorten("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2.5)).toBe("👩‍👩‍👧‍👦…");
    expect(shorten("short", 20)).toBe("short");
  });

  test.each([
    ["שלום", true],
    ["123 سلام", true],
    ["Hello שלום", false],
    ["…", false],
  ])("%s runs from right to left: %s", (title, expected) => {
    expect(isRightToLeft(title)).toBe(expected);
  });
});

/** The width of a text in DejaVu Sans Bold, the widest common font of viewers. */
const dejaVuEms = (text: string): number =>
  [...text].reduce((ems, letter) => ems + (advances[letter] ?? Number.NaN), 0);

const advances: Record<string, number> = {
  " ": 0.348,
  "&": 0.872,
  B: 0.762,
  I: 0.372,
  L: 0.637,
  M: 0.995,
  N: 0.837,
  O: 0.85,
  T: 0.682,
  U: 0.812,
  W: 1.103,
  A: 0.774,
  a: 0.675,
  b: 0.716,
  d: 0.716,
  e: 0.678,
  g: 0.716,
  h: 0.712,
  i: 0.343,
  l: 0.343,
  m: 1.042,
  n: 0.712,
  o: 0.687,
  r: 0.493,
  s: 0.595,
  t: 0.478,
  u: 0.712,
};

/** Expects that tags are closed in order, attributes are quoted, and texts have no character that XML forbids. */
function expectWellFormed(svg: string): void {
  expect(svg.isWellFormed()).toBe(true);
  const open: string[] = [];
  const remaining = svg.replace(/<(\/?)([a-zA-Z]+)((?: [a-zA-Z0-9-]+="[^"<]*")*)(\/?)>/g, (_, end, name, __, alone) => {
    if (end !== "") expect(open.pop()).toBe(name);
    else if (alone === "") open.push(name);
    expect(["svg", "defs", "linearGradient", "stop", "rect", "g", "circle", "path", "text", "tspan"]).toContain(name);
    return "";
  });
  expect(open).toEqual([]);
  expect(remaining).not.toMatch(/[<>]|&(?!#\d+;)/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these control characters.
  expect(svg).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
}
