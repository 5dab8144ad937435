import { openBucketKey } from "@beatmarket/webhooks/endpoints/destination.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { webhookSecrets } from "../../../test/harness/api.ts";
import { type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";
import { listAudit } from "../../resources/audit/queries.ts";

const portal = await testPortal();
const { query: db } = portal.database;

let ada: SignedInVisitor;
let bob: SignedInVisitor;
beforeAll(async () => {
  [ada, bob] = [await portal.signUp(), await portal.signUp()];
});
beforeEach(async () => {
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
});

const secret = "secret-of-the-bucket";
const s3 = { access_key_id: "AKIA1", secret_access_key: secret };
const fields = { url: "s3://events/market?region=eu-central-1", s3, event_types: null };

async function create(): Promise<number> {
  const response = await ada.send("POST", "/webhooks/endpoints", fields);
  expect(response.statusCode).toBe(201);
  return response.json().endpoint.id;
}
const storedKey = async (id: number) =>
  openBucketKey(
    id,
    await db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    webhookSecrets,
  );

test("the secret access key of a bucket is stored sealed, and is in no response and no audit entry", async () => {
  const created = await ada.send("POST", "/webhooks/endpoints", fields);
  expect(created.json()).toMatchObject({
    endpoint: { kind: "s3", url: "s3://events/market/?region=eu-central-1", access_key_id: "AKIA1" },
    secret: expect.stringMatching(/^whsec_/),
  });
  const { id } = created.json().endpoint;
  const changed = await ada.send("PATCH", `/webhooks/endpoints/${id}`, { description: "Archive", s3 });
  const responses = [
    created,
    changed,
    await ada.get("/webhooks/endpoints"),
    await ada.get(`/webhooks/endpoints/${id}`),
    await ada.send("POST", `/webhooks/endpoints/${id}/reveal-secret`),
    await ada.send("POST", `/webhooks/endpoints/${id}/disable`),
  ];
  for (const response of responses)
    expect([response.statusCode < 300, response.body.includes(secret)]).toEqual([true, false]);
  const row = await db.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(await storedKey(id)).toEqual({ accessKeyId: "AKIA1", secretAccessKey: secret });
  const audit = await listAudit(db, ada.userId, { limit: 10 });
  expect(JSON.stringify(audit)).toContain("s3://events/market");
  expect(JSON.stringify(audit)).not.toContain(secret);
});

test("the address and the access key of a bucket can be changed together or separately", async () => {
  const id = await create();
  const patch = (change: object) => ada.send("PATCH", `/webhooks/endpoints/${id}`, change);
  expect((await patch({ url: "s3://other?region=eu-west-1" })).json()).toMatchObject({
    url: "s3://other/?region=eu-west-1",
    access_key_id: "AKIA1",
  });
  expect(await storedKey(id)).toEqual({ accessKeyId: "AKIA1", secretAccessKey: secret });
  const next = { access_key_id: "AKIA2", secret_access_key: "another" };
  expect((await patch({ s3: next })).json()).toMatchObject({
    url: "s3://other/?region=eu-west-1",
    access_key_id: "AKIA2",
  });
  expect(await storedKey(id)).toEqual({ accessKeyId: "AKIA2", secretAccessKey: "another" });
  expect((await patch({ url: "https://receiver.example/" })).statusCode).toBe(400);
});

test("a bucket of another account is 404", async () => {
  const id = await create();
  const response = await bob.send("PATCH", `/webhooks/endpoints/${id}`, { s3 });
  expect(response.statusCode).toBe(404);
});

test("a delivery to a bucket has no curl line: 409", async () => {
  const id = await create();
  const { delivery_id } = (await ada.send("POST", `/webhooks/endpoints/${id}/test`, { type: "beat.created" })).json();
  const response = await ada.get(`/webhooks/deliveries/${delivery_id}/curl`);
  expect([response.statusCode, response.json().error.details]).toEqual([
    409,
    expect.stringContaining("object in a bucket"),
  ]);
});

describe("400 says what to correct:", () => {
  test.each([
    [{ s3: undefined }, "A bucket needs an access key"],
    [{ url: "https://receiver.example/" }, "Only a bucket takes an access key"],
    [{ ordered: true }, "The events of each object are in order"],
    [{ url: "s3://events" }, "The address lacks the bucket's region"],
    [{ url: "s3://events?region=Frankfurt!" }, 'The region is "Frankfurt!"'],
    [{ url: "s3://e?region=eu-central-1" }, "The address takes a bucket such as"],
    [{ url: "s3://AKIA1:secret@events?region=eu-central-1" }, "The address contains an access key"],
    [{ url: "s3://events/%00?region=eu-central-1" }, "The prefix takes letters"],
    [{ url: `s3://events/${"p".repeat(101)}?region=eu-central-1` }, "The prefix has more than 100 characters"],
    [{ url: "s3://events?region=eu-central-1&acl=public" }, 'The address has the parameter "acl"'],
    [{ url: "s3://events?endpoint=https://10.0.0.1" }, "belongs to a private network"],
    [{ url: "s3://events?endpoint=https://169.254.169.254" }, "where clouds keep their metadata"],
    [{ url: "s3://events?endpoint=http://s3.example.com" }, "must begin with https://"],
    [{ url: "s3://events?endpoint=https://minio.internal" }, "not a name on the public internet"],
    [{ s3: { ...s3, access_key_id: "AKIA 1" } }, "An access key has an id"],
  ])("%j", async (change, details) => {
    const response = await ada.send("POST", "/webhooks/endpoints", { ...fields, ...change });
    expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining(details)]);
    expect(response.body).not.toContain(secret);
  });
});
