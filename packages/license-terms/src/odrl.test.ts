import { expect, test } from "vitest";
import { builtInTerms } from "./built-in.ts";
import type { LicenseType } from "./license-types.ts";
import { type OdrlLicense, odrlPolicy } from "./odrl.ts";
import { soldTerms } from "./terms.ts";

const licenseOf = (type: LicenseType, traits: Partial<OdrlLicense> = {}): OdrlLicense => {
  const { title, limits, clauses } = soldTerms({ ...builtInTerms.texts[type], version: builtInTerms.version }, null);
  return {
    grant: { purchasedAt: new Date("2026-11-22T19:10:00Z"), isRefunded: false, files: ["mp3"], limits, clauses },
    title,
    issuedAt: new Date("2026-11-22T19:11:00Z"),
    url: "https://shop.test/licenses/1",
    target: "https://shop.test/works/2",
    assigner: "https://shop.test/authors/3",
    profile: "https://shop.test/clauses",
    replaces: null,
    replacedBy: null,
    ...traits,
  };
};

test("a basic license permits up to its numbers and its last day, and forbids what its clauses forbid", () => {
  const { permission, prohibition, ...policy } = odrlPolicy(licenseOf("basic"));
  expect(policy).toMatchObject({ "@type": "Set", uid: "https://shop.test/licenses/1" });
  expect(permission).toContainEqual({
    target: "https://shop.test/works/2",
    assigner: "https://shop.test/authors/3",
    action: "odrl:stream",
    constraint: [
      { "@type": "odrl:Constraint", leftOperand: "odrl:count", operator: "odrl:lteq", rightOperand: 100_000 },
      expect.objectContaining({
        leftOperand: "odrl:dateTime",
        rightOperand: expect.objectContaining({ "@value": "2031-11-21" }),
      }),
    ],
    duty: [{ action: "odrl:attribute", attributedParty: "https://shop.test/authors/3" }],
  });
  expect(prohibition?.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["clause:paid_performances", "odrl:sell", "odrl:grantUse", "clause:training"]),
  );
});

test("an exclusive license forbids the licensor to license the work to others", () => {
  expect(odrlPolicy(licenseOf("exclusive")).prohibition).toContainEqual({
    target: "https://shop.test/works/2",
    action: "odrl:grantUse",
    assignee: "https://shop.test/authors/3",
  });
});

test("a refunded license forbids any use, and names the license that replaced it", () => {
  const { grant } = licenseOf("basic");
  const replacedBy = "https://shop.test/licenses/4";
  const policy = odrlPolicy(licenseOf("basic", { grant: { ...grant, isRefunded: true }, replacedBy }));
  expect(policy).not.toHaveProperty("permission");
  expect(policy.prohibition).toMatchObject([{ action: "odrl:use" }]);
  expect(policy).toMatchObject({ "dcterms:isReplacedBy": { "@id": replacedBy } });
});
