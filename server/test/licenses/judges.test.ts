import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { clauseNames } from "@beatmarket/license-terms/clauses.ts";
import { anyOther, uses } from "@beatmarket/license-terms/judge.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { limitsOf } from "@beatmarket/license-terms/limits.ts";
import { expect, test } from "vitest";
import { compareJudges } from "./compare-judges.ts";

const page = await readFile(join(import.meta.dirname, "../../../docs/clauses.md"), "utf8");
const rows = page.split("\n").flatMap((line) => {
  const cells = line.startsWith("|")
    ? line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
    : [];
  return cells.length === 0 ? [] : [cells];
});

test("a Python program that knows only docs/clauses.md agrees with the service on 2,000 random questions", async () => {
  const { questions, answers, differences } = await compareJudges(2_000, 20_261_127);
  expect(differences).toEqual([]);
  expect(questions).toBe(2_000);
  for (const count of Object.values(answers)) expect(count).toBeGreaterThan(300);
});

test("the published table of clauses equals that of the built-in terms", () => {
  const publishedValue = (type: (typeof licenseTypes)[number], name: string): string => {
    const { clauses, limits } = builtInTerms.texts[type];
    const value = clauses?.find((clause) => clause.name === name)?.value;
    if (value === true || value === false) return value ? "yes" : "no";
    if (value !== "limit" || limits === null) return String(value);
    const limit = limitsOf(limits.bounds)[name as "streams"];
    return limit === null ? "any number" : limit.toLocaleString("en-US");
  };
  const published = rows.filter(({ length }) => length === 6).slice(2);
  expect(published.map((cells) => cells.slice(0, 5))).toEqual(
    published.map(([name = ""]) => [
      name,
      ...licenseTypes.map((type) => publishedValue(type, name.replaceAll("`", ""))),
    ]),
  );
  // The built-in terms do not mention this clause.
  const builtIn = clauseNames.filter((name) => name !== "upgrade_price");
  expect(published.map(([name]) => name?.replaceAll("`", "")).sort()).toEqual(builtIn.sort());
  expect(page).toContain(`version ${builtInTerms.version},`);
});

test("the published table of uses equals the table that decides the answers", () => {
  const published = rows.filter(({ length }) => length === 4).slice(2);
  const row = (name: string, { clause, rule }: typeof anyOther) => [name, `\`${clause}\``, rule];
  expect(published.map((cells) => cells.slice(0, 3))).toEqual([
    ...Object.entries(uses).map(([name, use]) => row(`\`${name}\``, use)),
    row("any other", anyOther),
  ]);
});
