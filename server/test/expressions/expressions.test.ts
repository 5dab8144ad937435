import { describe, expect, test } from "vitest";
import { findAttack } from "./ambiguity.ts";
import { expressionsIn, findExpressions } from "./find-expressions.ts";
import { adversarialTexts, attempt, parsers } from "./parsers.ts";

// Callers' texts have up to 16 kB in headers and 100 kB in bodies. Parsing them takes time in proportion to their
// length. `npm run faults -- --only expressions` measures the actual time.

describe("every regular expression of the server and the packages", () => {
  test("takes time in proportion to the length of any text", async () => {
    const { expressions, computedExpressions } = await findExpressions();
    expect(expressions.length).toBeGreaterThan(300);
    const attacked = expressions.flatMap(({ file, line, expression }) => {
      const attack = findAttack(expression);
      return attack === null ? [] : [`${file}:${line} ${expression}: try ${JSON.stringify(attack)}`];
    });
    expect(attacked).toEqual([]);
    // If this fails, write the expression as a literal, because this test can judge only literals.
    expect(computedExpressions).toEqual([]);
  });

  test("is found, even if it is created at run time", () => {
    const { expressions, computedExpressions } = expressionsIn(
      "planted.ts",
      `const trailing = /\\s+$/g;
       const copy = new RegExp(trailing, "gm");
       export const trim = (text: string, end: string) => text.replace(new RegExp(end + "+$"), "").split(/, */);`,
    );
    expect(expressions.map(({ line, expression }) => [line, String(expression)])).toEqual([
      [1, "/\\s+$/g"],
      [3, "/, */"],
    ]);
    expect(expressions.map(({ expression }) => findAttack(expression) !== null)).toEqual([true, false]);
    expect(computedExpressions).toEqual([{ file: "planted.ts", line: 3, text: 'new RegExp(end + "+$")' }]);
  });
});

describe("the judgement of an expression", () => {
  test.each([
    /(a+)+$/,
    /(a*)*b/,
    /(a|a)*b/,
    /^(?:ab|a|b)*c/,
    /^(?:a+b?)+c/,
    /(?:\w+ ?)+:/,
    /\s+$/,
    /^-+|-+$/g,
    /^[\w%]*(?:cvc|token)[\w%]*=/,
    /^bytes\s*=\s*(\d{0,15})\s*-/,
    /^(\d+)\.?(\d+)$/,
    /(?:x\w{2,200})*y/,
    /\$(?=\$*\p{L})/u,
    /(?<=\p{L}\$*)\$/u,
    /^(.+?): (.*)x$/g,
    /^a*a*$/,
  ])("finds a text against %s", (expression) => {
    const attack = findAttack(expression);
    expect(attack).not.toBeNull();
    expect(attack?.pump).not.toBe("");
  });

  test.each([
    /a+/,
    /^\s+$/,
    /^([^:]*):?(.*)$/s,
    /^(.+?): (.*)$/gm,
    /"[^"]*"/,
    /\d{12,19}x/,
    /"(?:[^"\\]|\\.)*"/y,
    /^(?!.*\.\.)[a-z.]*[a-z]@(?:[a-z0-9-]+\.)+[a-z]{2,}$/,
    /,(?=\s*x)/,
  ])("accepts %s", (expression) => {
    expect(findAttack(expression)).toBeNull();
  });
});

/** Long enough for a judgement. `npm run faults` uses the longest texts. */
const maxLength = 20_000;

describe("every parser of a caller's text finishes with a long text", () => {
  test.each(parsers)("$name", (parser) => {
    for (const text of adversarialTexts(Math.min(parser.maxLength, maxLength))) attempt(parser, text);
  });
});
