import { execFileSync } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import { mountSmallDisk } from "../../processes/small-disk.ts";
import type { Fault } from "../fault.ts";
import { Client, countStatuses, type Reply } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey, type Stage } from "../stage/stage.ts";
import { allOperational, type ComponentStates, statusWithin } from "../stage/status.ts";
import { cuttableProxy } from "./cuttable-proxy.ts";
import { newFile } from "./producer.ts";
import { Uploader } from "./uploader.ts";

const diskMb = 16;
const publishWithinMs = 60_000;

/** A storage that can be made unusable and then usable again. */
interface FaultyStorage {
  settings: Record<string, string>;
  /** The status of a part of an upload while the storage is unusable. */
  status: number;
  /** The states on the status page while the storage is unusable. */
  shownStates: ComponentStates;
  fail(): Promise<void>;
  repair(): Promise<void>;
}

export const bucketAway: Fault = {
  name: "bucket-away",
  about: "the bucket is unreachable for a while, under uploads, analysis and publishing",
  run: async (stage, report) => {
    const s3 = await startS3Server().catch((error: Error) => error);
    if (s3 instanceof Error) return report.skip("a bucket that becomes unreachable", s3.message);
    stage.onClose(() => s3.close());
    const proxy = await cuttableProxy(stage, Number(new URL(s3.endpoint).port));
    await play(stage, report, {
      settings: { STORAGE_URL: s3.storageUrl().replace(s3.endpoint, proxy.origin), ...s3.credentials },
      status: 503,
      shownStates: { ...allOperational, payments: "major_outage", files: "major_outage", uploads: "major_outage" },
      fail: async () => proxy.cut(),
      repair: async () => proxy.resume(),
    });
  },
};

export const storageFull: Fault = {
  name: "storage-full",
  about: "the disk of the storage is full for a while, under uploads, analysis and publishing",
  run: async (stage, report) => {
    const disk = join(stage.folder, "storage");
    await mkdir(disk);
    if (!mountSmallDisk(disk, diskMb)) return report.skip("a full storage", "only root may mount a small disk");
    stage.onClose(async () => void execFileSync("umount", ["--lazy", disk]));
    const filler = join(disk, "filler");
    await play(stage, report, {
      settings: { STORAGE_URL: pathToFileURL(disk).href },
      status: 507,
      shownStates: { ...allOperational, uploads: "major_outage" },
      fail: async () => {
        const { bavail, bsize } = await statfs(disk);
        await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => {});
      },
      repair: () => rm(filler),
    });
  },
};

/** Takes a beat from a file to its preview, with a storage that fails during each step. */
async function play(stage: Stage, report: Report, storage: FaultyStorage): Promise<void> {
  const postgres = await stage.postgres();
  const url = stage.databaseUrl(postgres);
  const db = stage.connect(postgres);
  await makeBeats(db, 10);
  const server = stage.serve(0, url, storage.settings);
  await server.ready;
  const client = new Client(server.address, await makeKey(db, "producer@example.com"));
  stage.onClose(() => client.close());
  const uploader = new Uploader([client]);

  const file = await newFile("audio");
  const id = (await uploader.begin(file)) ?? "";
  const half = Math.floor(file.bytes.length / 2);
  await uploader.append(id, { ...file, bytes: file.bytes.subarray(0, half) }, 0, half);
  await storage.fail();
  await statusWithin(report, server.address, "meanwhile", storage.shownStates);
  const refused = await uploader.append(id, file, half, file.bytes.length - half);
  const hasRetryAfter = /^\d+$/.test(String(refused.headers["retry-after"]));
  report.check(
    "a part is refused with Retry-After during the fault",
    refused.status === storage.status && hasRetryAfter,
    countStatuses([refused]),
  );
  const head = await uploader.send("HEAD", `/uploads/${id}`, { "tus-resumable": "1.0.0" });
  report.check(
    "the received bytes are kept",
    Number(head.headers["upload-offset"]) === half,
    `${head.headers["upload-offset"]} of ${half}`,
  );
  const reads = await Promise.all(["/beats?limit=20", "/users/me/beats", "/uploads"].map((path) => client.get(path)));
  report.check(
    "other calls succeed during the fault",
    reads.every(({ status }) => status === 200),
    countStatuses(reads),
  );

  await storage.repair();
  await statusWithin(report, server.address, "afterwards", allOperational);
  await uploader.finish(id, file, 20);
  await storage.fail();
  const body = { title: "Tidal", genre: "Trap", price: 20, bpm: 120, audio: id, status: "published" };
  const created = await uploader.sendJson("POST", "/beats", body);
  report.check(
    "a beat of the upload is created, or refused with 400, during the fault",
    created.status === 201 || created.status === 400,
    countStatuses([created]),
  );
  // At least one attempt fails, unless the upload was complete earlier.
  await sleep(2_000);
  await storage.repair();
  const returnedMs = performance.now();
  const beatId = await publish(uploader, created, { ...body, id });
  while ((await statusOf(db, beatId)) !== "released" && performance.now() - returnedMs < publishWithinMs) {
    await db.driver`update media_jobs set run_at = now() where lease is null`;
    await sleep(200);
  }
  report.check(
    "the beat is released after the fault",
    (await statusOf(db, beatId)) === "released",
    (await statusOf(db, beatId)) ?? "none",
  );
  const beatReply = await client.get(`/beats/${beatId}`);
  const preview = new URL(JSON.parse(beatReply.body).data.beat.audio_url).pathname;
  const previewReply = await client.getOutsideApi(preview);
  await storage.fail();
  const previewDuringFault = await client.getOutsideApi(preview);
  const isExpected = storage.status === 507 ? previewDuringFault.status === 200 : previewDuringFault.status === 503;
  report.check(
    "the preview before and during the fault",
    previewReply.status === 200 && isExpected,
    `${previewReply.status}, ${previewDuringFault.status}`,
  );
  await storage.repair();
  const secondReply = await client.getOutsideApi(preview);
  report.check("the preview after the fault", secondReply.status === 200, secondReply.status);
  report.check("the server continues", !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
}

async function publish(uploader: Uploader, created: Reply, { id, ...body }: { id: string }): Promise<number> {
  if (created.status === 201) return JSON.parse(created.body).data.beat.id;
  await uploader.send("POST", `/uploads/${id}/retry`);
  return JSON.parse((await uploader.sendJson("POST", "/beats", body)).body).data.beat.id;
}

async function statusOf(db: TestDatabase, beatId: number): Promise<string | undefined> {
  const [row] = await db.driver<{ stage: string }[]>`select stage from beat_productions where beat_id = ${beatId}`;
  return row?.stage;
}
