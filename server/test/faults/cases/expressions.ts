import { type Attack, loopsOf } from "../../expressions/ambiguity.ts";
import { findExpressions } from "../../expressions/find-expressions.ts";
import { adversarialTexts, attempt, parsers } from "../../expressions/parsers.ts";
import type { Fault } from "../fault.ts";

/** Node's limit for the request line and headers together. */
const textLength = 16_384;
/**
 * The time limit for each kilobyte of a text, since all requests wait meanwhile: ten times the time of the slowest
 * expression.
 */
const maxMsPerKilobyte = 2;

/** Times every expression of the server and every parser of callers' texts with the worst known texts. */
export const expressions: Fault = {
  name: "expressions",
  about: "every expression and parser of a caller's text, timed at its longest input with adversarial texts",
  run: async (_, report, extent) => {
    const { expressions: sourceExpressions } = await findExpressions();
    let slowest = { ms: 0, label: "" };
    for (const { file, line, expression } of extent === "short" ? sourceExpressions.slice(0, 5) : sourceExpressions)
      for (const text of loopsOf(expression).flatMap((loop) => textsOf(loop)))
        slowest = slower(
          slowest,
          fastestMs(() => text.replace(expression, "")),
          `${file}:${line}`,
        );
    report.check(
      "expressions timed",
      sourceExpressions.length > 300,
      `${sourceExpressions.length} expressions, the slowest at ${slowest.label}`,
    );
    report.bound("the slowest expression with 16 kB", slowest.ms, maxMs(textLength), "ms");
    for (const parser of parsers) {
      let worst = { ms: 0, label: "" };
      for (const text of adversarialTexts(parser.maxLength))
        worst = slower(
          worst,
          fastestMs(() => attempt(parser, text)),
          JSON.stringify(text.slice(0, 8)),
        );
      report.bound(
        `${parser.name}, ${parser.maxLength} characters such as ${worst.label}`,
        worst.ms,
        maxMs(parser.maxLength),
        "ms",
      );
    }
  },
};

const maxMs = (length: number): number => Math.max(10, (length / 1_000) * maxMsPerKilobyte);

/** The longest texts that repeat a loop of the expression, with endings for which the match may fail. */
const textsOf = ({ prefix, pump }: Attack): string[] =>
  ["", "\0", "!", "\n\0"].map((end) => prefix + pump.repeat(Math.ceil(textLength / pump.length)) + end);

const slower = (slowest: { ms: number; label: string }, ms: number, label: string) =>
  ms > slowest.ms ? { ms, label } : slowest;

/** The fastest of three runs, because other programs use the machine too. A slow expression runs only once. */
function fastestMs(run: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < 3; index++) {
    const startedMs = performance.now();
    run();
    fastest = Math.min(fastest, performance.now() - startedMs);
    if (fastest < 1) break;
  }
  return fastest;
}
