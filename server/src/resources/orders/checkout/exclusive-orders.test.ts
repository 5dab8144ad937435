import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { Sandbox } from "../payments/sandbox/sandbox.ts";
import { Reconciler } from "./reconciler.ts";

const clock = new FakeClock(Date.UTC(2026, 4, 1, 9, 30));
const api = await testApi({ clock });
const { driver, query: db } = api.database;

const checkout = {
  db,
  clock,
  log: pino({ level: "silent" }),
  currency: "USD",
  commissionBasisPoints: 0,
  seller: null,
  publicUrl: "https://beats.example",
};
const reconciler = new Reconciler({ ...checkout, payments: [new Sandbox(db)] }, new CatalogueVersion());

let beat = 0;
beforeEach(async () => {
  [beat = 0] = await insertBeats(api.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2990 }]);
});

const post = (payload: object, { key = api.key }: { key?: string } = {}) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    payload: JSON.stringify(payload),
  });
const buy = (fields: object = {}) => post({ beat_id: beat, payment_method: "pm_card_visa", ...fields });

describe("an exclusive license", () => {
  it("unlists the beat, which stays at its own URL; earlier orders do not change, and new orders get 409", async () => {
    const earlier = (await buy()).json().data.order;
    const stillPending = (await buy({ payment_method: "pm_card_authenticationRequired" })).json().data.order;
    expect((await buy({ license_type: "exclusive" })).json().data.order.status).toBe("completed");

    const listed = await api.get("/v1/beats?limit=100");
    expect(listed.json().data.beats.map(({ id }: { id: number }) => id)).not.toContain(beat);
    const { licenses } = (await api.get(`/v1/beats/${beat}`)).json().data.beat;
    expect(licenses).toHaveLength(4);
    for (const license of licenses) expect(license.available).toBe(false);
    expect((await api.get(`/v1/orders/${earlier.id}`)).json().data.order.status).toBe("completed");
    expect((await api.get(`/v1/orders/${stillPending.id}`)).json().data.order.status).toBe("pending");

    for (const license_type of ["basic", "premium", "unlimited", "exclusive"]) {
      const refusal = await buy({ license_type });
      expect(refusal.statusCode).toBe(409);
      expect(refusal.json().error).toMatchObject({
        code: "invalid_request",
        details: expect.stringContaining("no longer on sale"),
      });
    }
  });

  it("is held while its payment is pending: no license of the beat is available", async () => {
    await buy({ license_type: "exclusive", payment_method: "pm_card_authenticationRequired" });
    for (const license_type of ["basic", "exclusive"]) {
      const refusal = await buy({ license_type });
      expect(refusal.statusCode).toBe(409);
      expect(refusal.json().error.details).toContain("is being bought");
    }
    const { licenses } = (await api.get(`/v1/beats/${beat}`)).json().data.beat;
    expect(licenses.map(({ available }: { available: boolean }) => available)).toEqual([false, false, false, false]);
    const listed = await api.get("/v1/beats?limit=100");
    expect(listed.json().data.beats.map(({ id }: { id: number }) => id)).toContain(beat);
  });

  it("is released when the payment fails", async () => {
    await buy({ license_type: "exclusive", payment_method: "pm_card_visa_chargeDeclined" });
    expect((await api.get(`/v1/beats/${beat}`)).json().data.beat.licenses[3].available).toBe(true);
    expect((await buy({ license_type: "exclusive" })).json().data.order.status).toBe("completed");
  });

  it("is released when the hold expires after 15 minutes", async () => {
    await buy({ license_type: "exclusive", payment_method: "pm_card_authenticationRequired" });
    clock.advance(15 * 60_000 - 1);
    expect((await buy({ license_type: "exclusive" })).statusCode).toBe(409);
    clock.advance(1);
    expect((await buy({ license_type: "exclusive" })).json().data.order.status).toBe("completed");
  });

  describe("that is not paid for", () => {
    const unpaid = { license_type: "exclusive", payment_method: "pm_card_authenticationRequired" };
    const holds = async (count: number, key: string) => {
      const beats = await insertBeats(
        api.database,
        Array.from({ length: count }, (_, index) => ({ title: `Held ${index}` })),
      );
      return Promise.all(beats.map((beat_id) => post({ ...unpaid, beat_id }, { key })));
    };
    const state = async () => (await driver`select exclusive_state as state from beats where id = ${beat}`)[0]?.state;

    it("can be held for at most five beats at a time by one account; other licenses and other accounts are not limited", async () => {
      const key = await api.makeKey({ email: "holder@example.com" });
      const responses = await holds(20, key);
      expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
        ...Array(5).fill(201),
        ...Array(15).fill(409),
      ]);
      expect(responses.find(({ statusCode }) => statusCode === 409)?.json().error).toMatchObject({
        code: "invalid_request",
        details: expect.stringMatching(/paying for 5 exclusive licenses.*wait up to 15 minutes/),
      });
      expect(await driver`select count(*) from beats where exclusive_state = 'held' and title like 'Held %'`).toEqual([
        { count: 5 },
      ]);
      expect((await buy({ license_type: "basic" })).statusCode).toBe(201);
      expect((await post({ beat_id: beat, payment_method: "pm_card_visa" }, { key })).statusCode).toBe(201);
      const rival = await api.makeKey({ email: "rival@example.com" });
      expect((await post({ ...unpaid, beat_id: beat }, { key: rival })).statusCode).toBe(201);
      // After the holds expire, the account may hold other beats.
      clock.advance(15 * 60_000);
      await reconciler.run();
      expect((await holds(5, key)).map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(201));
      clock.advance(15 * 60_000);
      await reconciler.run();
    });

    it("can be held five times by one account within 24 hours, and is on sale between the holds", async () => {
      const key = await api.makeKey({ email: "again@example.com" });
      const hold = () => post({ ...unpaid, beat_id: beat }, { key });
      for (let count = 0; count < 5; count++) {
        expect((await hold()).statusCode).toBe(201);
        expect(await state()).toBe("held");
        clock.advance(15 * 60_000);
        await reconciler.run();
        expect(await state()).toBe("available");
      }
      const refusal = await hold();
      expect(refusal.statusCode).toBe(409);
      expect(refusal.json().error.details).toMatch(/5 purchases .* unpaid within 24 hours.*try again tomorrow/);
      expect(await state()).toBe("available");
      expect((await buy({ license_type: "basic" })).statusCode).toBe(201);
      clock.advance(24 * 3_600_000);
      expect((await hold()).statusCode).toBe(201);
    });

    it("can be held for two hours in 24 by all accounts together, and then only by accounts that have paid for an order", async () => {
      const statuses = [];
      for (let index = 0; index < 19; index++) {
        const key = await api.makeKey({ email: `turn-${index}@example.com` });
        statuses.push((await post({ ...unpaid, beat_id: beat }, { key })).statusCode);
        clock.advance(15 * 60_000);
        await reconciler.run();
      }
      expect(statuses).toEqual([...Array(8).fill(201), ...Array(11).fill(409)]);
      const key = await api.makeKey({ email: "newcomer@example.com" });
      const refusal = await post({ ...unpaid, beat_id: beat }, { key });
      expect(refusal.json().error.details).toMatch(/held beat \d+ for 120 minutes within 24 hours/);
      expect(await state()).toBe("available");
      expect((await post({ beat_id: beat, payment_method: "pm_card_visa" }, { key })).statusCode).toBe(201);
      expect((await post({ ...unpaid, beat_id: beat }, { key })).statusCode).toBe(201);
      clock.advance(24 * 3_600_000);
      await reconciler.run();
      const later = await api.makeKey({ email: "tomorrow@example.com" });
      expect((await post({ ...unpaid, beat_id: beat }, { key: later })).statusCode).toBe(201);
    });

    it("is counted as held for at most 15 minutes, even if its order failed later", async () => {
      const first = await api.makeKey({ email: "left-open@example.com" });
      expect((await post({ ...unpaid, beat_id: beat }, { key: first })).statusCode).toBe(201);
      // No server ran for three hours.
      clock.advance(3 * 3_600_000);
      await reconciler.run();
      const key = await api.makeKey({ email: "after-the-pause@example.com" });
      expect((await post({ ...unpaid, beat_id: beat }, { key })).statusCode).toBe(201);
    });

    it("is counted only for the time of the hold, so declined cards do not block other buyers", async () => {
      for (let index = 0; index < 20; index++) {
        const key = await api.makeKey({ email: `declined-${index}@example.com` });
        await post({ ...unpaid, payment_method: "pm_card_visa_chargeDeclined", beat_id: beat }, { key });
      }
      const key = await api.makeKey({ email: "after-the-declined@example.com" });
      expect((await post({ ...unpaid, beat_id: beat }, { key })).statusCode).toBe(201);
    });
  });

  it("is sold to one of 200 concurrent buyers; the others get an error before any payment", async () => {
    await driver`delete from events`;
    const [{ count: before = 0 } = {}] = await driver<{ count: number }[]>`select count(*) from sandbox_payments`;
    const keys = await Promise.all(
      Array.from({ length: 200 }, (_, index) => api.makeKey({ email: `rival-${index}@example.com` })),
    );
    const responses = await Promise.all(
      keys.map((key) => post({ beat_id: beat, payment_method: "pm_card_visa", license_type: "exclusive" }, { key })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(199);
    const [{ count: after = 0 } = {}] = await driver<{ count: number }[]>`select count(*) from sandbox_payments`;
    expect(after - before).toBe(1);
    expect(await driver`select status from orders where beat_id = ${beat}`).toEqual([{ status: "completed" }]);
    expect(await driver`select type from events where type = 'beat.purchased'`).toHaveLength(1);
  });
});
