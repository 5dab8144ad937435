import assert from "node:assert/strict";
import examples from "../../../contract/examples.json" with { type: "json" };
import { responding } from "../runner/fault-proxy.ts";
import { direct } from "../runner/service.ts";
import { Actor, expectFailure, expectSuccess, receivedData, type Scenario } from "./scenario.ts";

export const licensed: Scenario[] = [
  {
    name: "66 what a license allows",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "66");
      const id = "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60";
      const question = { use: "streams", quantity: 250_000 };
      proxy.begin();
      const refused = expectFailure(await actor.call("askLicense", { license_id: id, ...question }), "NotFoundError");
      assert.equal(refused.details, `No license has the id ${id}; compare it with the address on the certificate.`);
      const recordedVerdict = responding(200, JSON.stringify(examples.operations.askLicense.reference));
      proxy.begin(() => recordedVerdict);
      const { value } = expectSuccess(await actor.call("askLicense", { license_id: id, ...question }));
      assert.equal(proxy.requests[0]?.url, `/v1/licenses/${id}/may`);
      assert.deepEqual(JSON.parse(proxy.requests[0]?.body ?? ""), question);
      assert.deepEqual(value, examples.operations.askLicense.reference.data.verdict);
    },
  },
  {
    name: "67 usage of a license",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "67");
      const id = "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60";
      const report = { use: "streams", quantity: 82_000, period: "2026-11", source: "Distributor" };
      proxy.begin();
      expectFailure(await actor.call("reportLicenseUsage", { license_id: id, ...report }), "NotFoundError");
      const recordedReport = responding(200, JSON.stringify(examples.operations.reportLicenseUsage.reference));
      proxy.begin(() => recordedReport);
      const { value } = expectSuccess(await actor.call("reportLicenseUsage", { license_id: id, ...report }));
      assert.equal(proxy.requests[0]?.url, `/v1/licenses/${id}/usage`);
      assert.deepEqual(JSON.parse(proxy.requests[0]?.body ?? ""), report);
      assert.deepEqual(value, examples.operations.reportLicenseUsage.reference.data.usage);
      const recordedList = responding(200, JSON.stringify(examples.operations.listLicenseUsage.reference));
      proxy.begin(() => recordedList);
      const usageReports = expectSuccess(await actor.call("listLicenseUsage", { license_id: id }));
      assert.deepEqual(usageReports.value, examples.operations.listLicenseUsage.reference.data.usage);
    },
  },
  {
    name: "68 an upgrade whose response is lost",
    run: async (bed) => {
      const { account, facts, proxy, service } = bed;
      const actor = new Actor(bed, "68");
      const order = { beat_id: facts.beats[3], license_type: "basic", payment_method: "pm_card_visa" };
      const { order: boughtOrder } = await direct<{ order: { id: number } }>(service, account.apiKey, "/orders", order);
      const { license } = await direct<{ license: { id: string } }>(
        service,
        account.apiKey,
        `/orders/${boughtOrder.id}/files`,
      );
      const upgrade = { license_type: "premium", payment_method: "pm_card_visa" };
      proxy.begin((_, index) => (index === 0 ? { kind: "lose" } : undefined));
      const { value, meta } = expectSuccess(await actor.call("upgradeLicense", { license_id: license.id, ...upgrade }));
      assert.deepEqual(
        proxy.requests.map(({ url, body }) => [url, JSON.parse(body)]),
        Array.from({ length: 2 }, () => [`/v1/licenses/${license.id}/upgrade`, upgrade]),
      );
      const [first, second] = proxy.requests.map(({ headers }) => headers["idempotency-key"]);
      assert.ok(first);
      assert.equal(first, second);
      assert.equal(proxy.requests[1]?.response?.headers["idempotent-replayed"], "true");
      assert.deepEqual(value, receivedData(bed, 1).order);
      assert.deepEqual([meta.status, value.license_type, value.status], [201, "premium", "completed"]);
      // A second call has a new Idempotency-Key, and the replaced license is refused.
      proxy.begin();
      const secondUpgrade = await actor.call("upgradeLicense", { license_id: license.id, ...upgrade });
      assert.equal(expectFailure(secondUpgrade, "InvalidRequestError").status, 409);
      assert.notEqual(proxy.requests[0]?.headers["idempotency-key"], first);
    },
  },
  {
    name: "69 the account's own requests",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "69");
      proxy.begin();
      const refused = expectFailure(await actor.call("getBeat", { beat_id: 99_999_998 }), "NotFoundError");
      // The server writes the log after the responses.
      const request_id = refused.request_id;
      const args = { request_id, status_class: "4xx", limit: 1 };
      let page = expectSuccess(await actor.call("listRequests", args)).value;
      while (page.requests.length === 0) page = expectSuccess(await actor.call("listRequests", args)).value;
      assert.deepEqual(page, receivedData(bed, proxy.requests.length - 1));
      assert.deepEqual(
        page.requests.map(({ id }: { id: string }) => id),
        [request_id],
      );
      proxy.begin();
      const read = ["id", "path", "status", "error_code", "headers", "event_ids"];
      const logEntry = await actor.do("call", { operation: "getRequest", arguments: { request_id }, read });
      const { request } = receivedData(bed);
      assert.deepEqual(expectSuccess(logEntry).value, request);
      assert.deepEqual(logEntry.read, Object.fromEntries(read.map((name) => [name, request[name]])));
      assert.deepEqual([request.path, request.status], ["/v1/beats/99999998", 404]);
    },
  },
];
