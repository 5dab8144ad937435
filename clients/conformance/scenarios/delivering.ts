import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Result } from "../runner/driver.ts";
import { errorBody, type Fault, type ProxiedRequest, responding } from "../runner/fault-proxy.ts";
import { direct } from "../runner/service.ts";
import { uploadRecording, withStatus } from "./publishing.ts";
import {
  Actor,
  type Bed,
  expectFailure,
  expectSuccess,
  gapsMs,
  queryOf,
  receivedData,
  type Scenario,
} from "./scenario.ts";

/** A beat with its recording, and the key of its seller. */
interface Shop {
  beatId: number;
  sellerKey: string;
}
const shops = new WeakMap<Bed, Promise<Shop>>();

/** The shop of the language, created at the first use. */
function shopOf(bed: Bed): Promise<Shop> {
  const shop = shops.get(bed) ?? openShop(bed);
  shops.set(bed, shop);
  return shop;
}

async function openShop(bed: Bed): Promise<Shop> {
  const email = `seller-${bed.language}@example.com`;
  const { key: sellerKey } = await bed.service.command("keys", "create", "--email", email, "--plan", "partner");
  const seller = new Actor(bed, "shop", { api_key: sellerKey });
  const audio = await uploadRecording(bed, seller, 43);
  const fields = { title: `Sold by ${bed.language} / 青い`, genre: "Ambient", audio, price: 20, status: "published" };
  const { value } = expectSuccess(await seller.call("createBeat", fields));
  await withStatus(seller, value.id, "published");
  return { beatId: value.id, sellerKey: String(sellerKey) };
}

/** Buys the shop's beat. Resolves to the id of the order when its files are ready. */
async function buyBeat(bed: Bed, license_type = "basic"): Promise<number> {
  const { beatId } = await shopOf(bed);
  const { service, account } = bed;
  const body = { beat_id: beatId, payment_method: "pm_card_visa", license_type };
  const { order } = await direct<{ order: { id: number } }>(service, account.apiKey, "/orders", body);
  await direct(service, account.apiKey, `/orders/${order.id}/files`);
  return order.id;
}

/** An empty folder for a scenario. */
async function emptyFolder(bed: Bed, name: string): Promise<string> {
  const folder = join(bed.folder, name);
  await mkdir(folder, { recursive: true });
  return folder;
}

const isLink = ({ url }: ProxiedRequest): boolean => url.startsWith("/downloads/");
const links = ({ proxy }: Bed): ProxiedRequest[] => proxy.requests.filter(isLink);
const listings = ({ proxy }: Bed): ProxiedRequest[] => proxy.requests.filter(({ url }) => url.endsWith("/files"));

/** A plan that returns these faults for the first requests of a link. */
function atLinks(...faults: (Fault | undefined)[]): (request: ProxiedRequest) => Fault | undefined {
  return (request) => (isLink(request) ? faults.shift() : undefined);
}

/** Asserts that a file equals the listed one, and that the reported progress rises to its size. */
async function expectWhole({ value, progress }: Result, kind = value.kind): Promise<void> {
  const bytes = await readFile(value.path);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  assert.deepEqual([value.kind, value.bytes, value.sha256], [kind, bytes.length, sha256]);
  const receivedBytes = progress
    .filter((each: Result) => each.kind === kind && each.bytes === bytes.length)
    .map((each: Result) => each.received);
  assert.equal(receivedBytes.at(-1), bytes.length);
  assert.deepEqual(
    receivedBytes,
    [...receivedBytes].sort((a, b) => a - b),
  );
}

/** The first byte of the range that a request asks for. */
const startOf = ({ headers }: ProxiedRequest): number => Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
const cutAt = 100_000;
const once = { max_retries: 0 };

export const delivering: Scenario[] = [
  {
    name: "40 files of an order, listed and all downloaded",
    run: async (bed) => {
      const actor = new Actor(bed, "40");
      const order_id = await buyBeat(bed, "premium");
      bed.proxy.begin();
      const read = ["files.0.kind", "files.1.bytes", "license.status", "license.terms_version"];
      const fileList = expectSuccess(
        await actor.do("call", { operation: "listOrderFiles", arguments: { order_id }, read }),
      );
      const expected = receivedData(bed);
      assert.deepEqual(fileList.value, expected);
      assert.deepEqual(fileList.read, {
        "files.0.kind": "mp3",
        "files.1.bytes": expected.files[1].bytes,
        "license.status": "valid",
        "license.terms_version": expected.license.terms_version,
      });
      bed.proxy.begin();
      const invoices = expectSuccess(await actor.call("listOrderInvoices", { order_id }));
      assert.deepEqual(invoices.value, receivedData(bed).invoices);
      const folder = join(bed.folder, "40", "all of it");
      bed.proxy.begin();
      const { value, progress } = expectSuccess(await actor.do("download_all", { order_id, folder }));
      const kinds = ["mp3", "wav", "license"];
      assert.deepEqual(
        value.map(({ kind, path }: Result) => [kind, path]),
        expected.files.map(({ kind, filename }: Result) => [kind, join(folder, filename)]),
      );
      assert.deepEqual(
        value.map(({ kind }: Result) => kind),
        kinds,
      );
      for (const file of value) await expectWhole({ value: file, progress });

      const zip = join(bed.folder, "40", "order.zip");
      const archive = expectSuccess(await actor.call("downloadOrderArchive", { order_id, path: zip }));
      assert.equal(archive.value.path, zip);
      const content = await readFile(zip);
      assert.equal(content.readUInt32LE(), 0x04034b50);
      // The directory at the end of the ZIP names each file a second time.
      for (const { filename } of expected.files) assert.ok(content.subarray(-2_000).includes(filename));
      assert.deepEqual((await readdir(folder)).sort(), expected.files.map(({ filename }: Result) => filename).sort());
      assert.deepEqual([listings(bed).length, links(bed).length], [1, 3]);
      for (const { headers } of links(bed))
        assert.deepEqual([headers.authorization, headers["accept-encoding"]], [undefined, "identity"]);

      bed.proxy.begin();
      expectSuccess(await actor.do("download_all", { order_id, folder }));
      assert.equal(links(bed).length, 0, "a complete file was downloaded again");
    },
  },
  {
    name: "41 a download cut in the middle",
    run: async (bed) => {
      const actor = new Actor(bed, "41");
      const order_id = await buyBeat(bed);
      const folder = await emptyFolder(bed, "41");
      const brokenDownload: Fault = { kind: "break", afterBytes: cutAt };
      bed.proxy.begin(atLinks(brokenDownload));
      const downloaded = expectSuccess(
        await actor.do("download", { order_id, kind: "mp3", path: join(folder, "beat.mp3") }),
      );
      await expectWhole(downloaded, "mp3");
      const [first, second] = links(bed) as [ProxiedRequest, ProxiedRequest];
      assert.equal(links(bed).length, 2);
      assert.deepEqual([first.headers.range, second.response?.status], [undefined, 206]);
      assert.ok(startOf(second) > 0 && startOf(second) <= cutAt, `it continued with ${second.headers.range}`);

      // A later call resumes the file that the first one left incomplete.
      const args = { order_id, kind: "mp3", path: join(folder, "later.mp3") };
      bed.proxy.begin(atLinks(brokenDownload));
      expectFailure(await actor.do("download", args, { max_retries: 0 }), "APIConnectionError");
      assert.deepEqual((await readdir(folder)).sort(), ["beat.mp3", "later.mp3.part"]);
      const { size } = await stat(join(folder, "later.mp3.part"));
      bed.proxy.begin();
      const later = expectSuccess(await actor.do("download", args));
      await expectWhole(later, "mp3");
      assert.equal(later.progress[0].received, size);
      assert.deepEqual(links(bed).map(startOf), [size]);
      assert.deepEqual((await readdir(folder)).sort(), ["beat.mp3", "later.mp3"]);
    },
  },
  {
    name: "42 a link that has expired",
    run: async (bed) => {
      const actor = new Actor(bed, "42");
      const order_id = await buyBeat(bed);
      const folder = await emptyFolder(bed, "42");
      const expiredLink = responding(410, errorBody("not_found"));
      bed.proxy.begin(atLinks({ kind: "break", afterBytes: cutAt }, expiredLink));
      const downloaded = expectSuccess(
        await actor.do("download", { order_id, kind: "mp3", path: join(folder, "beat.mp3") }),
      );
      await expectWhole(downloaded, "mp3");
      assert.deepEqual([listings(bed).length, links(bed).length], [2, 3]);
      const [, , last] = links(bed) as [ProxiedRequest, ProxiedRequest, ProxiedRequest];
      assert.ok(startOf(last) > 0);

      bed.proxy.begin(atLinks(expiredLink, expiredLink));
      const args = { order_id, kind: "license", path: join(folder, "license.pdf") };
      expectFailure(await actor.do("download", args), "GoneError");
      assert.deepEqual([listings(bed).length, links(bed).length], [2, 2]);
      assert.ok(!(await readdir(folder)).includes("license.pdf"));
    },
  },
  {
    name: "43 other bytes than listed",
    run: async (bed) => {
      const actor = new Actor(bed, "43");
      const order_id = await buyBeat(bed);
      const folder = await emptyFolder(bed, "43");
      const path = join(folder, "beat.mp3");
      const changedBytes = (change: (bytes: Buffer) => Buffer): Fault => ({
        kind: "change",
        change: (response) => ({ ...response, body: change(Buffer.from(response.body as Buffer)) }),
      });
      const flip = (bytes: Buffer): Buffer => {
        bytes[cutAt] = (bytes[cutAt] ?? 0) ^ 1;
        return bytes;
      };
      await writeFile(path, "before");
      for (const change of [flip, (bytes: Buffer) => Buffer.concat([bytes, bytes])]) {
        bed.proxy.begin(atLinks(changedBytes(change)));
        const { message } = expectFailure(await actor.do("download", { order_id, kind: "mp3", path }), "ChecksumError");
        assert.match(message, new RegExp(`mp3 of order ${order_id}`));
        assert.deepEqual(await readdir(folder), ["beat.mp3"]);
        assert.equal(await readFile(path, "utf8"), "before");
        assert.equal(links(bed).length, 1);
      }
      // A partial file with other content is detected, and the download starts from the beginning.
      await writeFile(`${path}.part`, Buffer.alloc(cutAt));
      bed.proxy.begin();
      const { value } = expectSuccess(await actor.do("download", { order_id, kind: "mp3", path }));
      assert.equal(
        createHash("sha256")
          .update(await readFile(path))
          .digest("hex"),
        value.sha256,
      );
      assert.deepEqual(links(bed).map(startOf), [cutAt, 0]);
      assert.deepEqual(await readdir(folder), ["beat.mp3"]);
    },
  },
  {
    name: "44 a link that leads to another host",
    run: async (bed) => {
      const actor = new Actor(bed, "44");
      const { proxy, elsewhere, account } = bed;
      const order_id = await buyBeat(bed);
      const folder = await emptyFolder(bed, "44");
      const path = join(folder, "beat.mp3");
      const redirectTo = (location: string): Fault => responding(302, "", { location });
      elsewhere.begin();
      proxy.begin((request) => (isLink(request) ? redirectTo(`${elsewhere.origin}${request.url}`) : undefined));
      await expectWhole(expectSuccess(await actor.do("download", { order_id, kind: "mp3", path })), "mp3");
      assert.deepEqual([links(bed).length, elsewhere.requests.length], [1, 1]);
      for (const { headers } of [...links(bed), ...elsewhere.requests])
        assert.ok(!JSON.stringify(headers).includes(account.apiKey), "the key was sent");

      elsewhere.begin();
      for (const location of [`http://beats.invalid/x`, "https://[", `${proxy.origin}/downloads/1/mp3`]) {
        proxy.begin((request) => (isLink(request) ? redirectTo(location) : undefined));
        const args = { order_id, kind: "license", path: join(folder, "license.pdf") };
        assert.equal(expectFailure(await actor.do("download", args), "APIStatusError").status, 302);
        assert.ok(links(bed).length <= 6);
      }
    },
  },
  {
    name: "45 files that are still being created, and a kind that the order does not have",
    run: async (bed) => {
      const actor = new Actor(bed, "45");
      const order_id = await buyBeat(bed);
      const folder = await emptyFolder(bed, "45");
      const busy = responding(503, errorBody("server_error"), { "retry-after": "1" });
      // Downloads are retried more often than other calls.
      bed.proxy.begin((_, index) => (index < 3 ? busy : undefined));
      const downloaded = expectSuccess(
        await actor.do("download", { order_id, kind: "mp3", path: join(folder, "beat.mp3") }),
      );
      await expectWhole(downloaded, "mp3");
      for (const gap of gapsMs(bed.proxy.requests).slice(0, 3)) assert.ok(gap >= 950, `it waited ${gap} ms`);

      bed.proxy.begin();
      const args = { order_id, kind: "wav", path: join(folder, "beat.wav") };
      const { message } = expectFailure(await actor.do("download", args), "BeatMarketError");
      assert.equal(message, `The order ${order_id} has no wav; it has mp3, license.`);
      assert.equal(links(bed).length, 0);
      assert.deepEqual(await readdir(folder), ["beat.mp3"]);
    },
  },
  {
    name: "46 sales, iterated and exported",
    run: async (bed) => {
      const { sellerKey, beatId } = await shopOf(bed);
      const actor = new Actor(bed, "46", { api_key: sellerKey });
      for (let order = 0; order < 3; order += 1) await buyBeat(bed);
      const saleList = await direct<{ sales: { id: number }[] }>(bed.service, sellerKey, "/users/me/sales?limit=100");
      const ids = saleList.sales.map(({ id }) => id);
      assert.ok(ids.length >= 3);
      bed.proxy.begin();
      const from = "2026-01-01";
      const iterated = await actor.iterate("listSales", { limit: 2, beat: beatId, from });
      assert.deepEqual(iterated, { items: ids, errors: [] });
      assert.deepEqual(
        bed.proxy.requests.map(queryOf).map(({ limit, beat, from: start }) => [limit, beat, start]),
        Array.from({ length: Math.ceil(ids.length / 2) }, () => ["2", String(beatId), from]),
      );
      const read = ["items.0.beat.title", "items.0.buyer.name", "items.0.refunded_amount", "pagination.total"];
      bed.proxy.begin();
      const page = expectSuccess(await actor.do("call", { operation: "listSales", arguments: { limit: 2 }, read }));
      const { sales, pagination } = receivedData(bed);
      assert.deepEqual(page.value, { items: sales, pagination });
      const [first] = sales;
      const values = [first.beat.title, first.buyer.name, 0, ids.length];
      assert.deepEqual(page.read, Object.fromEntries(read.map((path, index) => [path, values[index]])));
      const { value: noSales } = expectSuccess(await actor.call("listSales", { to: from }));
      assert.deepEqual(noSales.items, []);

      bed.proxy.begin();
      const path = join(await emptyFolder(bed, "46"), "sales.csv");
      const month = new Date().toISOString().slice(0, 7);
      const { value } = expectSuccess(await actor.call("exportSales", { month, path }));
      assert.equal(value.path, path);
      const [request] = bed.proxy.requests as [ProxiedRequest];
      assert.equal(request.url, `/v1/users/me/sales.csv?month=${month}`);
      const csv = await readFile(path, "utf8");
      assert.equal(csv, request.response?.body);
      assert.equal(csv.split("\r\n").length, ids.length + 2);

      // A refused export creates no file, and leaves an existing one unchanged.
      const folder = await emptyFolder(bed, "46 refused");
      const existingFile = join(folder, "there.csv");
      await writeFile(existingFile, "before");
      for (const exportPath of [existingFile, join(folder, "new.csv")]) {
        bed.proxy.begin(() => responding(403, errorBody("forbidden")));
        expectFailure(await actor.call("exportSales", { month, path: exportPath }), "PermissionDeniedError");
        bed.proxy.begin(() => ({ kind: "break", afterBytes: 5 }));
        expectFailure(
          await actor.do("call", { operation: "exportSales", arguments: { month, path: exportPath } }, once),
          "APIConnectionError",
        );
      }
      assert.deepEqual(await readdir(folder), ["there.csv"]);
      assert.equal(await readFile(existingFile, "utf8"), "before");
    },
  },
  {
    name: "47 an order whose payment is pending",
    run: async (bed) => {
      const actor = new Actor(bed, "47");
      const { beatId } = await shopOf(bed);
      bed.proxy.begin();
      const fields = { beat_id: beatId, payment_method: "pm_card_authenticationRequired" };
      const read = ["status", "next_action.type", "next_action.url", "client_secret", "refunded_amount", "refunded_at"];
      const createdOrder = expectSuccess(await actor.do("call", { operation: "createOrder", arguments: fields, read }));
      const { order } = receivedData(bed);
      assert.deepEqual(createdOrder.value, order);
      assert.deepEqual(createdOrder.read, {
        status: "pending",
        "next_action.type": "redirect",
        "next_action.url": order.next_action.url,
        client_secret: order.client_secret,
        refunded_amount: 0,
        refunded_at: null,
      });
      assert.match(order.next_action.url, /^https:\/\/.*\/pay\//);
      const files = await actor.call("listOrderFiles", { order_id: order.id });
      assert.equal(expectFailure(files, "InvalidRequestError").status, 409);
    },
  },
];
