import { expect, test } from "vitest";
import { publicUrl, testApi } from "../../../test/harness/api.ts";
import { insertLicense } from "../../../test/harness/database/licenses.ts";

const api = await testApi();
const { driver } = api.database;
const policyOf = (id: string, accept = "application/ld+json", path = "") =>
  api.get(`/licenses/${id}${path}`, { key: null, accept });
const purchasedAt = new Date("2026-11-22T19:10:00Z");

interface Rule {
  action: string;
  constraint?: { leftOperand: string; operator: string; rightOperand: unknown }[];
  duty?: unknown[];
}
const ruleOf = (rules: readonly Rule[], action: string) => rules.find((rule) => rule.action === action);

test("a basic license has permissions with limits and a last day, and prohibitions; the buyer is not named", async () => {
  const { id, beatId, producerId } = await insertLicense(api.database, { purchasedAt });
  const response = await policyOf(id);
  expect(response.headers).toMatchObject({ "content-type": "application/ld+json", "access-control-allow-origin": "*" });
  const policy = response.json();
  expect(policy).toMatchObject({ "@type": "Set", uid: `${publicUrl}/licenses/${id}` });
  expect(ruleOf(policy.permission, "odrl:stream")).toMatchObject({
    target: `${publicUrl}/beats/${beatId}`,
    assigner: `${publicUrl}/v1/users/${producerId}`,
    constraint: [
      { leftOperand: "odrl:count", operator: "odrl:lteq", rightOperand: 100_000 },
      { leftOperand: "odrl:dateTime", operator: "odrl:lteq", rightOperand: { "@value": "2031-11-21" } },
    ],
    duty: [{ action: "odrl:attribute" }],
  });
  expect(policy.prohibition.map(({ action }: Rule) => action)).toEqual(
    expect.arrayContaining(["clause:paid_performances", "odrl:sell", "odrl:grantUse", "clause:training"]),
  );
  expect(JSON.stringify(policy)).not.toMatch(/buyer|assignee/);
});

test("the policy of an exclusive license has no limits, and prohibits further licenses by the producer", async () => {
  const { id, producerId } = await insertLicense(api.database, { purchasedAt, licenseType: "exclusive" });
  const policy = (await policyOf(id)).json();
  expect(ruleOf(policy.permission, "odrl:stream")).not.toHaveProperty("constraint");
  expect(policy.prohibition).toContainEqual(
    expect.objectContaining({ action: "odrl:grantUse", assignee: `${publicUrl}/v1/users/${producerId}` }),
  );
});

test("a policy has the limits of the order, and after a full refund only a prohibition of any use", async () => {
  const { id, orderId } = await insertLicense(api.database, { purchasedAt, changedLimits: { streams: 50_000 } });
  const { permission } = (await policyOf(id)).json();
  expect(ruleOf(permission, "odrl:stream")?.constraint?.[0]?.rightOperand).toBe(50_000);
  await driver`update orders set refunded_cents = amount_cents, refunded_at = now() where id = ${orderId}`;
  const refunded = (await policyOf(id)).json();
  expect(refunded).not.toHaveProperty("permission");
  expect(refunded.prohibition).toMatchObject([{ action: "odrl:use" }]);
});

test("the path of a license serves the policy, the page or JSON by Accept; /odrl serves the policy or 404", async () => {
  const { id } = await insertLicense(api.database, { purchasedAt });
  expect((await policyOf(id, "*/*", "/odrl")).json()).toEqual((await policyOf(id)).json());
  for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "application/ld+json;q=0.1,text/html"])
    expect((await policyOf(id, accept)).headers["content-type"]).toContain("text/html");
  expect((await policyOf(id, "application/json")).json().data.license.id).toBe(id);
  const unknown = await policyOf("00000000-0000-4000-8000-000000000000", "*/*", "/odrl");
  expect([unknown.statusCode, unknown.json().data.license.status]).toEqual([404, "unknown"]);
});
