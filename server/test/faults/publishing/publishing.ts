import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Verification } from "@beatmarket/storage/verify-objects.ts";
import type { Fault } from "../fault.ts";
import { Client, countStatuses } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey, type Program } from "../stage/stage.ts";
import { Producer } from "./producer.ts";
import { checkBeats, checkFiles, checkUploads, settle } from "./settled.ts";
import { type SentFile, Uploader } from "./uploader.ts";

const kills = { whole: 50, short: 4 };
const maxPauseMs = 7_000;
const producerCount = 3;
const slots = [0, 1, 2];

export const publishingKills: Fault = {
  name: "publishing",
  about:
    "servers and workers are killed at random, 50 times, under uploads, analysis, publishing, edits and withdrawals",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const url = stage.databaseUrl(postgres);
    const db = stage.connect(postgres);
    // Also creates the genres.
    await makeBeats(db, 10);
    const folder = join(stage.folder, "files");
    const settings = { STORAGE_URL: pathToFileURL(folder).href };
    const starts = slots.map((slot) => () => (slot === 2 ? stage.work : stage.serve).call(stage, slot, url, settings));
    const programs = starts.map((start) => start() as Program);
    await Promise.all(programs.map(({ ready }) => ready));

    const addresses = programs.slice(0, 2).map(({ address }) => address);
    const uploaders = await Promise.all(
      Array.from({ length: producerCount }, async (_, index) => {
        const key = await makeKey(db, `producer-${index}@example.com`);
        const clients = addresses.map((address) => new Client(address, key));
        stage.onClose(async () => void (await Promise.all(clients.map((client) => client.close()))));
        return new Uploader(clients);
      }),
    );
    const producers = uploaders.map((uploader) => new Producer(uploader));
    const stopping = new AbortController();
    const working = producers.map((producer) => producer.work(stopping.signal));

    const unexpected: string[] = [];
    for (let kill = 0; kill < kills[extent]; kill++) {
      // A process that is still starting may be killed, too.
      await sleep(randomInt(maxPauseMs));
      const slot = randomInt(programs.length);
      const program = programs[slot] as Program;
      if (hasEnded(program)) unexpected.push(`slot ${slot}: ${program.child.signalCode ?? program.child.exitCode}`);
      program.child.kill("SIGKILL");
      await program.ended;
      programs[slot] = (starts[slot] as () => Program)();
      if ((kill + 1) % 10 === 0) report.progress(`${kill + 1} of ${kills[extent]} kills`);
    }
    stopping.abort();
    await Promise.all(programs.map(({ ready }) => ready));
    await Promise.all(working);
    const unsettled = await settle(db);
    const retried = await retry(db, uploaders);
    unsettled.push(...(await settle(db)));

    report.check("processes that ended by themselves", unexpected.length === 0, unexpected.join(", ") || "none");
    report.measure("kills", kills[extent]);
    report.check(
      "uploads and beats still analysing or processing",
      unsettled.length === 0,
      unsettled.slice(0, 5).join(", ") || "none",
    );
    report.measure("retried uploads, whose analysis three kills had ended", retried);
    const sentFiles = new Map<string, SentFile>(producers.flatMap(({ files }) => [...files]));
    await checkUploads(db, sentFiles, report);
    await checkBeats(db, report);
    const verify = () => stage.command<Verification>(0, url, ["storage", "verify", "--checksums"], settings);
    const objects = new StoredObjects(db.query, new FolderStorage(folder));
    const dataDirs = slots.map((slot) => stage.dataDir(slot));
    await checkFiles({ db, objects, dataDirs }, verify, report);
    const replies = uploaders.flatMap((uploader) => uploader.replies);
    report.check(
      "no response during the kills has status 500",
      !replies.some(({ status }) => status === 500),
      countStatuses(replies),
    );
  },
};

/**
 * Requests another analysis of uploads that were rejected although their file is valid. Each becomes ready. Returns
 * their number.
 */
async function retry(db: Parameters<typeof settle>[0], uploaders: readonly Uploader[]): Promise<number> {
  const rejected = await db.driver<{ id: string }[]>`select id from uploads where is_retriable`;
  for (const { id } of rejected) for (const uploader of uploaders) await uploader.send("POST", `/uploads/${id}/retry`);
  return rejected.length;
}
