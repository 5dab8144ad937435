import { until } from "@beatmarket/postgres/testing/processes.ts";
import { expect, test } from "vitest";
import { testApi, webhookSecrets } from "../../../test/harness/api.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { createEndpoint, deleteEndpoint, disableEndpoint, enableEndpoint } from "./endpoints.ts";

const { database, get, makeKey, userId } = await testApi();
const { query: db } = database;
const now = new Date();
const secrets = webhookSecrets;
const make = async (ownerId = userId): Promise<number> => {
  const request = { userId: ownerId, url: "https://receiver.example/", eventTypes: null };
  return (await createEndpoint(db, request, { secrets, allowPrivate: false, now }, "operator")).endpoint.id;
};
const setFailing = (id: number, since: Date | null) =>
  db.updateTable("webhook_endpoints").set({ failing_since: since }).where("id", "=", id).execute();

/** Resolves when a response to the account has exactly this notice. */
const untilNotice = (notice: string | undefined) =>
  until(async () => (await get("/v1/genres")).headers["x-webhook-notice"] === notice);

test("responses have a notice while endpoints of the account are failing or disabled", async () => {
  expect((await get("/v1/genres")).headers).not.toHaveProperty("x-webhook-notice");
  const [first, second] = [await make(), await make()];
  await setFailing(first, now);
  await untilNotice(`failing; endpoint=${first}`);
  await disableEndpoint(db, second, "operator", { reason: "By hand.", now });
  await untilNotice(`failing; endpoint=${first}, disabled; endpoint=${second}`);
  await setFailing(first, null);
  await untilNotice(`disabled; endpoint=${second}`);
  await enableEndpoint(db, second, "operator", { replay: false, now });
  await untilNotice(undefined);
  await disableEndpoint(db, first, "operator", { reason: "By hand.", now });
  await untilNotice(`disabled; endpoint=${first}`);
  await deleteEndpoint(db, first, "operator", now);
  await untilNotice(undefined);
});

test("error responses have the notice too; responses to other accounts and invalid keys do not", async () => {
  const endpoint = await make();
  const key = await makeKey({ email: "tester@example.com", permissions: ["genres:read"] });
  await setFailing(endpoint, now);
  await untilNotice(`failing; endpoint=${endpoint}`);
  for (const url of ["/v1/beats/999999", "/v1/beats?limit=0", "/v1/nothing"])
    expect((await get(url)).headers["x-webhook-notice"]).toBe(`failing; endpoint=${endpoint}`);
  const refusal = await get("/v1/orders", { key });
  expect(refusal.statusCode).toBe(403);
  expect(refusal.headers["x-webhook-notice"]).toBe(`failing; endpoint=${endpoint}`);
  const { id: other } = await findOrCreateAccount(db, { email: "other@example.com" });
  await make(other);
  for (const otherKey of [await makeKey({ email: "other@example.com" }), "bm_nonsense"])
    expect((await get("/v1/genres", { key: otherKey })).headers).not.toHaveProperty("x-webhook-notice");
});
