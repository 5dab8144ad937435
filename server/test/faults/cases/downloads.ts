import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import { hashFile, type StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import { readConfig } from "../../../src/config.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import { attachRecording, insertRenditions } from "../../harness/database/order-files.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { cuttableProxy } from "../publishing/cuttable-proxy.ts";
import { type Address, Client } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey, type Stage } from "../stage/stage.ts";
import { residentMb } from "./receivers.ts";

const stemsMb = { whole: 2_000, short: 64 };
const killsOf = { whole: 10, short: 2 };
const slowReaders = 200;
/** Below the limit of 64 concurrent downloads for a network. */
const readersOfAddress = 50;
/** Four times the minimum rate of a reader. */
const slowBytesPerSecond = 32_000;
const slowMs = { whole: 20_000, short: 5_000 };
const memoryLimitMb = 250;

export const downloads: Fault = {
  name: "downloads",
  about: "200 slow readers of stems, a download through kills of the server, and a bucket that becomes unreachable",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    const beats = await makeBeats(db, 2);
    const settings = { STORAGE_URL: `file://${join(stage.folder, "objects")}` };
    const stems = await storeStems(stage, db, settings.STORAGE_URL, stemsMb[extent]);
    const market: Market = { db, key: await makeKey(db, "buyer@example.com"), beatId: beats[0] ?? 0, stems };
    const orderId = await buyStems(stage, market, url, settings);
    await readSlowly(stage, report, market, { url, settings, orderId, forMs: slowMs[extent] });
    await downloadThroughKills(stage, report, market, { url, settings, orderId, kills: killsOf[extent] });
    await loseBucket(stage, report, { ...market, beatId: beats[1] ?? 0 }, url);
  },
};

interface Market {
  db: TestDatabase;
  key: string;
  beatId: number;
  stems: StoredFile;
}

/** Stores stems in which each megabyte is different, so that a wrong order is detected. */
async function storeStems(stage: Stage, db: TestDatabase, storageUrl: string, megabytes: number): Promise<StoredFile> {
  const file = join(stage.folder, "stems.zip");
  const output = createWriteStream(file);
  const block = randomBytes(1_000_000);
  for (let number = 0; number < megabytes; number++) {
    const numbered = Buffer.from(block);
    numbered.writeUInt32BE(number);
    if (!output.write(numbered)) await once(output, "drain");
  }
  output.end();
  await once(output, "finish");
  return objectsOf(db, await openStorage(readConfig({ STORAGE_URL: storageUrl }).storage)).store(file);
}

const objectsOf = (db: TestDatabase, storage: Awaited<ReturnType<typeof openStorage>>) =>
  new StoredObjects(db.query, storage);

/** Sells the beat with its stems. The content of the renditions does not matter here. */
async function buyStems(
  stage: Stage,
  { db, key, beatId, stems }: Market,
  url: string,
  settings: Record<string, string>,
): Promise<number> {
  await attachRecording(db.query, beatId, { master: stems, stems });
  const renditions = await db.driver`select 1 from renditions where master_sha256 = ${stems.sha256}`;
  if (renditions.length === 0) await insertRenditions(db.query, stems, { mp3: stems, wav: stems });
  const server = stage.serve(0, url, settings);
  await server.ready;
  const client = new Client(server.address, key);
  const body = { beat_id: beatId, payment_method: "pm_card_visa", license_type: "unlimited" };
  const { id } = JSON.parse((await client.order(body, `order-${beatId}`)).body).data.order;
  await client.close();
  server.child.kill("SIGTERM");
  await server.ended;
  return id;
}

async function linkTo(address: Address, key: string, orderId: number): Promise<string> {
  const client = new Client(address, key);
  try {
    const { files } = JSON.parse((await client.get(`/orders/${orderId}/files`)).body).data;
    return files.find(({ kind }: { kind: string }) => kind === "stems").url;
  } finally {
    await client.close();
  }
}

const open = (
  url: string,
  { ca }: Address,
  { headers = {}, localAddress = "127.0.0.1" }: { headers?: Record<string, string>; localAddress?: string } = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    httpsGet(url, { ca, agent: false, family: 4, localAddress, headers }, resolve).once("error", reject);
  });

/** Downloads from several addresses of this machine, to imitate several networks. */
async function readSlowly(
  stage: Stage,
  report: Report,
  { db, key }: Market,
  { url, settings, orderId, forMs }: { url: string; settings: Record<string, string>; orderId: number; forMs: number },
): Promise<void> {
  const server = stage.serve(0, url, settings);
  await server.ready;
  const link = await linkTo(server.address, key, orderId);
  const beforeMb = await residentMb(server.child.pid);
  const statuses = new Map<number, number>();
  let broken = 0;
  const endMs = performance.now() + forMs;
  const read = async (number: number): Promise<void> => {
    const localAddress = `127.0.0.${2 + Math.floor(number / readersOfAddress)}`;
    const response = await open(link, server.address, { localAddress });
    statuses.set(response.statusCode ?? 0, (statuses.get(response.statusCode ?? 0) ?? 0) + 1);
    for await (const chunk of response) {
      if (performance.now() > endMs) break;
      await sleep((1_000 * (chunk as Buffer).length) / slowBytesPerSecond);
    }
  };
  const reading = Array.from({ length: slowReaders }, (_, number) => read(number).catch(() => broken++));
  await sleep(forMs / 2);
  const usedMb = await residentMb(server.child.pid);
  await Promise.all(reading);
  report.check(
    "no slow reader is refused or broken off",
    statuses.get(200) === slowReaders && broken === 0,
    `${JSON.stringify(Object.fromEntries(statuses))}, ${broken} broken off`,
  );
  report.bound("memory for 200 slow readers", usedMb - beforeMb, memoryLimitMb, "MB");
  const counted = await db.driver`select kind from order_downloads where order_id = ${orderId}`;
  report.check("the downloads of one file by one buyer count once", counted.length === 1, `${counted.length} rows`);
  server.child.kill("SIGKILL");
  await server.ended;
}

/** Resumes after the last received byte, with a new link each time, as a browser or `curl -C -` does. */
async function downloadThroughKills(
  stage: Stage,
  report: Report,
  { key, stems }: Market,
  { url, settings, orderId, kills }: { url: string; settings: Record<string, string>; orderId: number; kills: number },
): Promise<void> {
  const hash = createHash("sha256");
  let received = 0;
  let restarts = 0;
  let etag: string | undefined;
  for (let turn = 0; received < stems.bytes && turn <= 2 * kills + 2; turn++) {
    const server = stage.serve(0, url, settings);
    await server.ready;
    const link = await linkTo(server.address, key, orderId);
    const headers = received === 0 ? {} : { range: `bytes=${received}-`, "if-range": etag ?? "" };
    const response = await open(link, server.address, { headers });
    if (received > 0 && response.statusCode !== 206) break;
    etag = response.headers.etag;
    const killAt = turn < kills ? received + Math.floor((Math.random() * 2 * stems.bytes) / (kills + 1)) : Infinity;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        hash.update(chunk);
        received += chunk.length;
        if (received >= killAt) server.child.kill("SIGKILL");
      }
    } catch {
      restarts++;
    }
    server.child.kill("SIGKILL");
    await server.ended;
  }
  report.check(
    "a download that continues after kills equals the file",
    received === stems.bytes && hash.digest("hex") === stems.sha256,
    `${received.toLocaleString("en")} of ${stems.bytes.toLocaleString("en")} bytes, broken off ${restarts} times`,
  );
}

async function loseBucket(stage: Stage, report: Report, market: Market, url: string): Promise<void> {
  const s3 = await startS3Server().catch((error: Error) => error);
  if (s3 instanceof Error) return report.skip("a bucket that becomes unreachable", s3.message);
  stage.onClose(() => s3.close());
  const proxy = await cuttableProxy(stage, Number(new URL(s3.endpoint).port));
  const settings = { STORAGE_URL: s3.storageUrl().replace(s3.endpoint, proxy.origin), ...s3.credentials };
  Object.assign(process.env, s3.credentials);
  const { db, key, beatId } = market;
  // Otherwise the database refuses a bucket, since its files are in a folder.
  await db.driver`truncate storage_identity`;
  const file = join(stage.folder, "stems-in-bucket.zip");
  const output = createWriteStream(file);
  output.end(randomBytes(20_000_000));
  await once(output, "finish");
  const storage = await openStorage(readConfig({ STORAGE_URL: s3.storageUrl() }).storage);
  const stems = await objectsOf(db, storage).store(file);
  const orderId = await buyStems(stage, { ...market, beatId, stems }, url, settings);
  const server = stage.serve(1, url, settings);
  await server.ready;
  const link = await linkTo(server.address, key, orderId);
  const redirect = async (): Promise<string> => {
    const response = (await open(link, server.address)).resume();
    return response.statusCode === 302 ? String(response.headers.location) : `status ${response.statusCode}`;
  };
  const before = await redirect();
  const first = await fetch(before, { headers: { range: "bytes=0-9999999" } }).then((part) => part.arrayBuffer());
  proxy.cut();
  const target = await redirect();
  const isAway = await fetch(target).then(
    () => false,
    () => true,
  );
  proxy.resume();
  const remainder = await fetch(await redirect(), { headers: { range: "bytes=10000000-" } }).then((part) =>
    part.arrayBuffer(),
  );
  const sha256 = createHash("sha256").update(Buffer.from(first)).update(Buffer.from(remainder)).digest("hex");
  report.check(
    "a link leads to the bucket even while the bucket is unreachable",
    isAway && target.startsWith("http"),
    target.slice(0, 40),
  );
  report.check(
    "a download that continues with another link equals the file",
    sha256 === (await hashFile(file)).sha256,
    `${first.byteLength} and ${remainder.byteLength} bytes`,
  );
  report.check("the server continues", !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
}
