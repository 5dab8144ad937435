import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, testPortal } from "../../../../test/harness/portal.ts";
import { publishingOf, type TestProducer } from "../../../../test/harness/publishing.ts";

const folder = mkdtempSync(join(tmpdir(), "beatmarket-license-settings-"));
afterAll(() => rm(folder, { recursive: true }));
// The beats of this file are rows without files. Some are bought, so every object of the storage seems to exist.
const storage = new FolderStorage(folder);
vi.spyOn(storage, "head").mockResolvedValue({ bytes: 1_000 });
const portal = await testPortal({ storage });
const { api } = portal;
const { producer, publish } = publishingOf(api);
let nora: TestProducer;
let noraInPortal: SignedInVisitor;
let buyer: TestProducer;

beforeAll(async () => {
  await insertBeats(api.database, [{ genre: "Trap" }]);
  noraInPortal = await portal.signUp("nora@example.com", "Nora");
  nora = await producer("nora@example.com");
  buyer = await producer("buyer@example.com");
});

/** A beat on sale, optionally with its own settings. */
async function onSale(fields: object = {}): Promise<number> {
  const { id } = await nora.create({ status: "published", ...fields });
  await publish(id);
  return id;
}
const set = (id: number, license_settings: object) => nora.send("PATCH", `/beats/${id}`, { license_settings });
const typesOf = async (id: number) =>
  (await buyer.get(`/beats/${id}`)).json().data.beat.licenses.map(({ type }: { type: string }) => type);
const order = (id: number, license_type: string) =>
  buyer.send("POST", "/orders", { beat_id: id, payment_method: "pm_card_visa", license_type });
const notSold = { sold: false };

describe("a license that is not sold", () => {
  it("is missing from `licenses`, and can be sold again", async () => {
    const id = await onSale();
    expect((await set(id, { premium: notSold, exclusive: notSold })).statusCode).toBe(200);
    expect(await typesOf(id)).toEqual(["basic", "unlimited"]);
    await set(id, { premium: { sold: true } });
    expect(await typesOf(id)).toEqual(["basic", "premium", "unlimited"]);
  });

  it("is 409 with the reason in an order and a checkout, is marked in the basket, and is not charged", async () => {
    const id = await onSale();
    await set(id, { exclusive: notSold });
    const reason = "its producer sells basic, premium and unlimited";
    const orderResponse = await order(id, "exclusive");
    expect([orderResponse.statusCode, orderResponse.json().error.details.includes(reason)]).toEqual([409, true]);
    const items = [{ beat_id: id, license_type: "exclusive" }];
    const openedCheckout = await buyer.send("POST", "/checkouts", { items });
    expect([openedCheckout.statusCode, openedCheckout.json().error.details.includes(reason)]).toEqual([409, true]);
    expect((await buyer.get("/orders")).json().data.orders).toEqual([]);
    const basket = await api.request({ url: "/basket", headers: { cookie: `basket=${id}.exclusive.59899` } });
    expect(basket.body).toContain("No longer on sale");
  });

  it("is replaced by the first license on sale in the list price, in filters and in sorting", async () => {
    const id = await onSale({ price: 11, license_prices: { premium: 4_321, unlimited: 5_000, exclusive: 9_000 } });
    await set(id, { basic: notSold });
    const idsAndPrices = async (query: string) =>
      (await buyer.get(`/beats?${query}`))
        .json()
        .data.beats.map((beat: { id: number; price: number }) => [beat.id, beat.price]);
    expect(await idsAndPrices("price_min=4321&price_max=4321")).toEqual([[id, 4_321]]);
    expect(await idsAndPrices("price_min=11&price_max=11")).toEqual([]);
    expect((await idsAndPrices("sort=price_desc&limit=1"))[0]).toEqual([id, 4_321]);
    expect(await idsAndPrices("license=basic&price_min=4321")).toEqual([]);
    expect(await idsAndPrices("license=premium&price_min=4321")).toEqual([[id, 4_321]]);
  });

  it("is shown, with the price, only to the producer of the beat", async () => {
    const id = await onSale({ license_settings: { unlimited: notSold } });
    const beat = (await nora.get(`/beats/${id}`)).json().data.beat;
    expect(beat.license_settings.unlimited).toEqual({ sold: false, price: 149.99, limits: {} });
    expect((await buyer.get(`/beats/${id}`)).json().data.beat).not.toHaveProperty("license_settings");
  });

  it("is 400 if no license of the beat would be sold", async () => {
    const id = await onSale();
    const none = { basic: notSold, premium: notSold, unlimited: notSold, exclusive: notSold };
    const refusal = await set(id, none);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      400,
      "The license_settings field stops the sale of all licenses; leave one, or withdraw the beat.",
    ]);
    expect(await typesOf(id)).toHaveLength(4);
  });
});

describe("limits of a producer", () => {
  const limits = (basic: object) => ({ basic: { limits: basic } });

  it.each([
    [limits({ streams: 2_000_000 }), "is 2,000,000, and must be from 1,000 to 1,000,000 streams"],
    [limits({ streams: null }), "is any number of, and must be from 1,000 to 1,000,000 streams"],
    [{ unlimited: { limits: { copies: 5 } } }, "cannot be changed: it is any number of copies"],
    [{ premium: { limits: { videos: 0 } } }, "allows 0 music videos, and the basic license 1"],
    [limits({ songs: 1 }), "songs"],
    [limits({ years: 1.5 }), "years"],
    [limits({ copies: -1 }), "copies"],
    [{ gold: { sold: true } }, "gold"],
  ])("that are out of bounds or unknown are 400, with the problem in the details: %j", async (settings, sentence) => {
    const id = await onSale();
    const refusal = await set(id, settings);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it("are 400 if two licenses would allow the same at different prices", async () => {
    const id = await onSale();
    const standard = { copies: 2_000, streams: 100_000, videos: 1, radio_stations: 2, years: 5 };
    const same = await set(id, {
      basic: { limits: { paid_performances: 0 } },
      premium: { limits: { ...standard, paid_performances: 0 } },
    });
    expect([same.statusCode, same.json().error.details]).toEqual([
      400,
      "The license_settings.premium.limits field allows the same as the basic license, so buyers could not tell them apart; change one, or stop selling it.",
    ]);
  });

  it("are in the table of the beat's licenses, and an order keeps the limits of the time of purchase", async () => {
    const id = await onSale();
    await set(id, limits({ streams: 50_000, years: 3 }));
    const table = async () => (await noraInPortal.get(`/market/beats/${id}/licenses`)).json().licenses[0].allows;
    const row = await table();
    expect(row).toContainEqual({ name: "Streams", text: "50,000" });
    expect(row).toContainEqual({ name: "Term", text: "3 years" });

    const order_id = (await order(id, "basic")).json().data.order.id;
    await set(id, limits({ streams: 70_000 }));
    expect(await table()).toContainEqual({ name: "Streams", text: "70,000" });
    const orderRow = await api.database.query
      .selectFrom("orders")
      .select("license_limits")
      .where("id", "=", order_id)
      .executeTakeFirstOrThrow();
    expect(orderRow.license_limits).toEqual({ streams: 50_000, years: 3 });
  });

  it("are replaced as a whole for a license, and removed by an empty object", async () => {
    const id = await onSale();
    const limitsOfBasic = async () => (await nora.get(`/beats/${id}`)).json().data.beat.license_settings.basic.limits;
    await set(id, limits({ streams: 50_000, years: 3 }));
    await set(id, limits({ years: 2 }));
    expect(await limitsOfBasic()).toEqual({ years: 2 });
    await set(id, limits({}));
    expect(await limitsOfBasic()).toEqual({});
  });
});

describe("defaults of the studio", () => {
  it("are the settings of new beats, unless a new beat has settings of its own", async () => {
    const defaults = { license_settings: { exclusive: notSold, basic: { limits: { years: 2 } } }, free_download: true };
    expect((await noraInPortal.send("PUT", "/studio/license-defaults", defaults)).statusCode).toBe(200);
    const beat = await nora.create();
    expect(beat).toMatchObject({
      free_download: true,
      license_settings: { exclusive: { sold: false }, basic: { sold: true, limits: { years: 2 } } },
    });
    const customBeat = await nora.create({ license_settings: { exclusive: { sold: true } }, preview_tag: "none" });
    expect(customBeat).toMatchObject({ free_download: false, license_settings: { exclusive: { sold: true } } });
    const { draft_defaults } = (await noraInPortal.get("/studio/options")).json();
    expect(draft_defaults).toMatchObject({ free_download: true, license_settings: { exclusive: notSold } });
  });

  it("change all beats with `apply_to_all`, except those that an order froze", async () => {
    const [open, sold] = [await onSale(), await onSale({ preview_tag: "none" })];
    await set(sold, { exclusive: { sold: true } });
    expect((await order(sold, "exclusive")).json().data.order.status).toBe("completed");
    const defaults = { license_settings: { basic: notSold }, free_download: false, apply_to_all: true };
    const result = (await noraInPortal.send("PUT", "/studio/license-defaults", defaults)).json();
    expect(result.frozen).toEqual([sold]);
    expect(result.changed).toBeGreaterThan(5);
    expect(await typesOf(open)).not.toContain("basic");
  });

  it("are not replaced by settings that no beat could have: 400", async () => {
    const before = (await noraInPortal.get("/studio/options")).json().draft_defaults;
    const defaults = { license_settings: { basic: { limits: { years: 0 } } }, free_download: false };
    const refusal = await noraInPortal.send("PUT", "/studio/license-defaults", defaults);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      400,
      expect.stringContaining("must be from 1 to any number of years"),
    ]);
    expect((await noraInPortal.get("/studio/options")).json().draft_defaults).toEqual(before);
  });
});

describe("a free download", () => {
  it.each([
    [{ free_download: true, preview_tag: "none" }, "set free_download to false as well"],
    [{ preview_tag: "none" }, "set free_download to false as well"],
  ])("is refused without a preview tag: %j", async (fields, sentence) => {
    const id = await onSale({ free_download: true });
    const refusal = await nora.send("PATCH", `/beats/${id}`, fields);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([400, expect.stringContaining(sentence)]);
    const validFields = { free_download: false, preview_tag: "none" };
    expect((await nora.send("PATCH", `/beats/${id}`, validFields)).statusCode).toBe(200);
    const again = await nora.send("PATCH", `/beats/${id}`, { free_download: true });
    expect(again.json().error.details).toContain("The free_download field needs a preview with a tag");
  });
});
