import { join } from "node:path";
import { expect, test } from "vitest";
import { writtenFiles } from "../harness/documents/documents.ts";

// Words that only this project has used, and the field's standard term for each. docs/glossary.md defines the terms.

interface Banned {
  pattern: RegExp;
  use: string;
  /** Only files whose path begins with one of these. Absent: all files. */
  within?: readonly string[];
}

const banned: readonly Banned[] = [
  // Names.
  { pattern: /\bgiveBack\b/, use: "release (a permit), refund (money)" },
  { pattern: /\bmostUnderWay\b/, use: "maxConcurrent" },
  { pattern: /\bWorkload\b/, use: "ConcurrencyLimiter" },
  { pattern: /\bKnock\b/, use: "admission" },
  { pattern: /\bExchange\b/, use: "RequestContext", within: ["server/"] },
  { pattern: /\bSightings\b/, use: "Doorkeeper" },
  { pattern: /\bLetter\b(?=\[| \{|>)/, use: "pending write" },
  { pattern: /\bPostbox\b/, use: "mail queue" },
  { pattern: /\b[Gg]enreless\b/, use: "without genre" },
  { pattern: /\b[Mm]isreckon/, use: "wrong digest" },
  { pattern: /\bslowOnesSought/, use: "slowClientCheckMs" },
  { pattern: /\bpatienceMs\b/, use: "timeoutMs" },
  { pattern: /[Nn]amesakes?\b/, use: "exact names" },
  { pattern: /\b[A-Za-z]+Answer\b/, use: "response, result", within: ["server/", "clients/"] },
  { pattern: /\b(answerWithin|withinTimeLimit)\b/, use: "withTimeout" },
  { pattern: /\bFlight\b/, use: "in-flight look-up" },
  { pattern: /\b[Ss]hortcut\b/, use: "fast path", within: ["server/", "docs/", "ARCHITECTURE.md"] },
  // Spelling.
  { pattern: /licenc/i, use: "license" },
  // Phrases.
  { pattern: /\b(let|lets|letting) go of\b/i, use: "release" },
  { pattern: /\b(told|tells|tell) of\b/i, use: "notified of, reports, describes" },
  { pattern: /\bin crumbs\b/i, use: "in tiny batches" },
  { pattern: /\byoung (objects|ones)\b|\bcleared young\b/i, use: "young generation" },
  { pattern: /\bkept answers?\b/i, use: "cached response" },
  { pattern: /\bcomes on and on\b/i, use: "sustained" },
  { pattern: /\bdeaf to\b/i, use: "ignores" },
  { pattern: /\bby way of\b/i, use: "through" },
  { pattern: /\bwhoever\b/i, use: "the caller, the operator, the account: the one who is meant" },
  {
    pattern: /\b(the|its|their|a|no|each|any) reach\b|\| reach \|/,
    use: "target",
    within: ["bench/", "docs/benchmarks.md"],
  },
];

/**
 * Files with a fixed text: a database that applied another migration refuses to start, and this test contains the
 * banned words.
 */
const exempt = /^database\/migrations\/|^server\/test\/laws\/words\.test\.ts$/;

/**
 * The banned words in a file, with the standard terms. In comments and paragraphs, a phrase may continue on the next
 * line.
 */
function findings({ path, text }: { path: string; text: string }): string[] {
  const flowing = text.replace(/\n\s*(?:\*(?!\/)|\/\/|#|--|>)?[ \t]*/g, " ");
  return banned
    .filter(({ within }) => within === undefined || within.some((prefix) => path.startsWith(prefix)))
    .flatMap(({ pattern, use }) => {
      const matches = flowing.match(new RegExp(pattern.source, `g${pattern.flags}`));
      if (matches === null) return [];
      const times = matches.length > 1 ? ` ×${matches.length}` : "";
      return [`${path}: "${matches[0]}"${times} → ${use}`];
    });
}

test("code, comments and documents use the field's standard terms", async () => {
  const files = (await writtenFiles(join(import.meta.dirname, "../../.."))).filter(({ path }) => !exempt.test(path));
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(findings)).toEqual([]);
});

test.each([
  ["a name", "docs/a.md", "call giveBack()", 1],
  ["a phrase over two lines of a comment", "scripts/a.mjs", " * the memory is let\n * go of", 1],
  ["a spelling in capitals", "LICENCE.md", "LICENCE", 1],
  ["a word that is banned in one folder", "bench/a.ts", "falls short of its reach", 1],
  ["the same word elsewhere", "docs/a.md", "out of its reach", 0],
  ["the standard term", "docs/a.md", "release the permit; the license", 0],
])("%s, in %s: %j has %i findings", (_, path, text, count) => {
  expect(findings({ path, text })).toHaveLength(count);
});
