import { expect, test } from "vitest";
import { builtInTerms } from "./built-in.ts";
import { type Grant, judge, type Question, renewableFrom } from "./judge.ts";
import type { LicenseType } from "./license-types.ts";
import { readQuestion } from "./question.ts";
import { soldTerms } from "./terms.ts";

const grantOf = (type: LicenseType, traits: Partial<Grant> = {}): Grant => {
  const { limits, clauses } = soldTerms({ ...builtInTerms.texts[type], version: builtInTerms.version }, null);
  return {
    purchasedAt: new Date("2026-11-22T19:10:00Z"),
    isRefunded: false,
    files: ["mp3"],
    limits,
    clauses,
    ...traits,
  };
};
const question = (traits: Partial<Question>): Question => ({
  use: "streams",
  quantity: 1,
  territory: null,
  on: "2027-01-15",
  ...traits,
});

test.each([
  ["a number up to the limit", "basic", { quantity: 100_000 }, "yes", "streams"],
  ["a number above the limit", "basic", { quantity: 100_001 }, "no", "streams"],
  ["any number without a limit", "exclusive", { quantity: 1_000_000_000 }, "yes", "streams"],
  ["a use that a clause forbids", "basic", { use: "resale" }, "no", "resale"],
  ["a use that is always allowed", "basic", { use: "edit", quantity: 9 }, "yes", "song"],
  ["stems that the certificate does not list", "unlimited", { use: "stems" }, "no", "files"],
  ["a use that the nearest clause does not mention", "unlimited", { use: "film" }, "unknown", "videos"],
  ["a use that the list of uses lacks", "unlimited", { use: "podcast" }, "unknown", "song"],
  ["the last day of the term", "basic", { on: "2031-11-21" }, "yes", "streams"],
  ["the day after the term", "basic", { on: "2031-11-22" }, "no", "years"],
] as const)("%s, asked about a %s license as %o, is answered %s by a clause: %s", (_, type, asked, allowed, clause) => {
  const verdict = judge(grantOf(type), question(asked));
  expect([verdict.allowed, verdict.clause?.name]).toEqual([allowed, clause]);
});

test("a refunded license allows nothing", () => {
  expect(judge(grantOf("exclusive", { isRefunded: true }), question({}))).toMatchObject({ allowed: "no" });
});

test("a territory that the terms do not name is refused", () => {
  const clauses = grantOf("basic").clauses?.map((each) =>
    each.name === "territory" ? { ...each, value: ["DE", "AT"] } : each,
  );
  const grant = grantOf("basic", { clauses: clauses ?? null });
  expect(judge(grant, question({ territory: "DE" })).allowed).toBe("yes");
  expect(judge(grant, question({ territory: "FR" }))).toMatchObject({ allowed: "no", clause: { name: "territory" } });
});

test("a license can be renewed from 90 days before its last day", () => {
  expect(renewableFrom("2031-11-21")).toBe("2031-08-23");
});

test.each([
  [{ use: "Streams!" }, "use"],
  [{ use: "streams", quantity: 0 }, "quantity"],
  [{ use: "streams", territory: "Germany" }, "territory"],
  [{ use: "streams", on: "2027-02-30" }, "on"],
  [{ use: "streams", on: "2026-11-21" }, "on"],
])("the question %j is refused with the name of the field", (body, parameter) => {
  const days = { ordered: "2026-11-22", today: "2027-01-15" };
  expect(() => readQuestion(body, days)).toThrow(
    expect.objectContaining({ status: 400, refusedBy: `parameter:${parameter}` }),
  );
});
