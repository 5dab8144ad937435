import { createPublicKey, verify } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { entriesOfList } from "@beatmarket/license-terms/status-entry.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { insertLicense, issueTestLicense } from "../../../../test/harness/database/licenses.ts";
import { encodedList } from "./list.ts";

const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
const api = await testApi({ clock });
const { query: db, driver } = api.database;
const [beat = 0] = await insertBeats(api.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2_990 }]);
await driver`update beats set premium_price_cents = 5990, unlimited_price_cents = 9990 where id = ${beat}`;

/** Reads the two bits of an entry, one by one, in the order of the specification. */
function valueAt(list: string, index: number): number {
  expect(list[0]).toBe("u");
  const bytes = gunzipSync(Buffer.from(list.slice(1), "base64url"));
  expect(bytes.length).toBe((entriesOfList * 2) / 8);
  const bit = (position: number) => ((bytes[position >> 3] ?? 0) >> (7 - (position % 8))) & 1;
  return 2 * bit(index * 2) + bit(index * 2 + 1);
}

const post = (url: string, payload: object) =>
  api.request({ method: "POST", url: `/v1${url}`, headers: { authorization: `Bearer ${api.key}` }, payload });
const payment = { payment_method: "pm_card_visa" };
async function buy() {
  const { order } = (await post("/orders", { beat_id: beat, license_type: "basic", ...payment })).json().data;
  return { id: await issueTestLicense(api.database, order.id), orderId: order.id };
}
const open = (url: string) => api.get(url, { key: null, accept: "*/*" });
const entryOf = async (id: string) =>
  (await api.get(`/licenses/${id}`, { key: null, accept: "application/json" })).json().data.license.credential_status;

/** Reads a list and checks its signature with the public keys of the marketplace, as anybody could. */
async function readList(url: string) {
  const response = await open(new URL(url).pathname);
  expect(response.statusCode, response.body).toBe(200);
  const [header = "", payload = "", signature = ""] = response.body.split(".");
  const { alg, kid, typ } = JSON.parse(Buffer.from(header, "base64url").toString());
  expect([alg, typ]).toEqual(["EdDSA", "vc+jwt"]);
  const jwk = (await open("/.well-known/jwks.json")).json().keys.find((key: { kid: string }) => key.kid === kid);
  const key = createPublicKey({ key: jwk, format: "jwk" });
  expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))).toBe(true);
  return { response, credential: JSON.parse(Buffer.from(payload, "base64url").toString()) };
}

test("one signed list says which licenses are refunded, replaced or expired", async () => {
  const [valid, refunded, replaced] = [await buy(), await buy(), await buy()];
  const { id: expired } = await insertLicense(api.database, { purchasedAt: new Date("2021-01-01T00:00:00Z") });
  await driver`update orders set refunded_cents = amount_cents, refunded_at = now() where id = ${refunded.orderId}`;
  expect((await post(`/licenses/${replaced.id}/upgrade`, { license_type: "premium", ...payment })).statusCode).toBe(
    201,
  );
  const { statusListCredential } = await entryOf(valid.id);
  const { credential, response } = await readList(statusListCredential);
  expect(response.headers).toMatchObject({
    "content-type": "application/vc+jwt",
    "cache-control": "public, max-age=60",
    "access-control-allow-origin": "*",
  });
  expect(credential).toMatchObject({
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    id: statusListCredential,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    validFrom: "2027-01-15T12:00:00Z",
    credentialSubject: { type: "BitstringStatusList", statusPurpose: "message", ttl: 60_000 },
  });
  const listedStatuses = [];
  for (const id of [valid.id, refunded.id, replaced.id, expired]) {
    const entry = await entryOf(id);
    expect(entry).toMatchObject({ type: "BitstringStatusListEntry", statusPurpose: "message", statusSize: 2 });
    const value = valueAt(credential.credentialSubject.encodedList, Number(entry.statusListIndex));
    listedStatuses.push(entry.statusMessage.find(({ status }: { status: string }) => Number(status) === value).message);
  }
  expect(listedStatuses).toEqual(["valid", "refunded", "replaced", "expired"]);
});

test("a list changes at most once a minute", async () => {
  const { id, orderId } = await buy();
  const entry = await entryOf(id);
  const value = async () => {
    const { credential } = await readList(entry.statusListCredential);
    return valueAt(credential.credentialSubject.encodedList, Number(entry.statusListIndex));
  };
  clock.advance(60_000);
  expect(await value()).toBe(0);
  await driver`update orders set refunded_cents = amount_cents, refunded_at = now() where id = ${orderId}`;
  expect(await value()).toBe(0);
  clock.advance(60_000);
  expect(await value()).toBe(1);
});

test("no index is used twice, not even the index of a deleted license", async () => {
  const { orderId } = await buy();
  const [deletedRow] = await driver`delete from licenses where order_id = ${orderId} returning status_index::int`;
  const newLicenseId = await issueTestLicense(api.database, orderId);
  const rows = await driver`select status_index::int from licenses`;
  expect(new Set(rows.map((row) => row.status_index)).size).toBe(rows.length);
  const { statusListIndex } = await entryOf(newLicenseId);
  expect(Number(statusListIndex)).toBeGreaterThan(deletedRow?.status_index);
});

test("a list without licenses answers 404, as does an invalid list number", async () => {
  for (const name of ["1", "00", "-1", "x", "999999999", "1e3"])
    expect((await open(`/licenses/status/${name}`)).statusCode).toBe(404);
});

test("the second list starts with index 0", async () => {
  const { id } = await buy();
  await db.updateTable("licenses").set({ status_index: entriesOfList }).where("id", "=", id).execute();
  const entry = await entryOf(id);
  expect(entry).toMatchObject({
    statusListIndex: "0",
    statusListCredential: expect.stringMatching(/\/licenses\/status\/1$/),
  });
  const { credential } = await readList(entry.statusListCredential);
  expect(valueAt(credential.credentialSubject.encodedList, 0)).toBe(0);
});

test("an encoded list has each value at its index, and 0 at neighbouring indexes without a value", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: entriesOfList - 2 }), fc.integer({ min: 1, max: 3 })), {
        selector: ([index]) => index >> 2,
        maxLength: 5,
      }),
      (values) => {
        const list = encodedList(values);
        const valueByIndex = new Map(values);
        for (const [index] of values)
          for (const position of [index - 1, index, index + 1])
            expect(valueAt(list, position)).toBe(valueByIndex.get(position) ?? 0);
      },
    ),
    { numRuns: 30 },
  );
});
