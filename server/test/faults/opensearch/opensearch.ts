import { execFileSync } from "node:child_process";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Report } from "../../harness/programmes/report.ts";
import { mountSmallDisk } from "../../processes/small-disk.ts";
import type { Extent, Fault } from "../fault.ts";
import { Client, countStatuses, type Reply } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey, type Stage } from "../stage/stage.ts";
import { allOperational, type ComponentStates, statusWithin } from "../stage/status.ts";
import { Cluster, type ClusterOptions } from "./cluster.ts";

const beats = 200;
const servers = 2;
/** The time limit for finding a change when a majority of the nodes responds. */
const foundWithinMs = 60_000;
/**
 * The same limit while a node does not respond. OpenSearch excludes the node after three checks of ten seconds, and
 * after a change that waits 30 seconds for the node.
 */
const foundWithoutNodeMs = 240_000;
/** For this long after a change, a server may send results without the change. An idle machine needs a second. */
const staleAllowedMs = 5_000;
const buildWithinMs = 300_000;
const roundsEach = { whole: 3, short: 1 };
const diskMb = 128;
/** A slow node runs for a tenth of the time. */
const slow = { restsMs: 900, runsMs: 100 };

export const openSearch: Fault = {
  name: "opensearch",
  about: "under two servers, one of three nodes of OpenSearch is killed and restarted, then all three are paused",
  run: (stage, report, extent) =>
    play(stage, report, extent, {}, async ({ cluster, rounds, checkStates }) => {
      await cluster.kill(0);
      await rounds("while a node is killed", foundWithinMs);
      await checkStates("while a node is killed", allOperational);
      await cluster.restart(0);
      for (const node of [0, 1, 2]) cluster.pause(node);
      await checkStates("while all nodes are paused", { ...allOperational, catalogue: "major_outage" });
      for (const node of [0, 1, 2]) cluster.resume(node);
      await rounds("when the nodes run again", foundWithoutNodeMs);
      await checkStates("when the nodes run again", allOperational);
    }),
};

export const openSearchSlow: Fault = {
  name: "opensearch-slow",
  about: "one of three nodes of OpenSearch is slow, then is paused",
  run: (stage, report, extent) =>
    play(stage, report, extent, {}, async ({ cluster, rounds }) => {
      let isSlow = true;
      const slowness = (async () => {
        while (isSlow) {
          cluster.pause(0);
          await sleep(slow.restsMs);
          cluster.resume(0);
          await sleep(slow.runsMs);
        }
      })();
      await rounds("while a node is slow", foundWithoutNodeMs);
      isSlow = false;
      await slowness;
      cluster.pause(0);
      await rounds("while a node is paused", foundWithoutNodeMs);
      cluster.resume(0);
    }),
};

export const openSearchCut: Fault = {
  name: "opensearch-cut",
  about: "one of three nodes of OpenSearch is cut off from the others, while the servers still reach it",
  run: (stage, report, extent) =>
    play(stage, report, extent, {}, async ({ cluster, rounds }) => {
      await cluster.cutOff(0);
      await rounds("while a node is cut off", foundWithoutNodeMs);
      cluster.rejoin();
    }),
};

export const openSearchFull: Fault = {
  name: "opensearch-full",
  about: "the disk of one of three nodes of OpenSearch is full, then has room again",
  run: async (stage, report, extent) => {
    const disk = join(stage.folder, "opensearch");
    await mkdir(disk);
    if (!mountSmallDisk(disk, diskMb)) return report.skip("a full disk", "only root may mount a small one");
    stage.onClose(async () => void execFileSync("umount", ["--lazy", disk]));
    const settings = {
      "cluster.routing.allocation.disk.threshold_enabled": true,
      // The minimum. By default, OpenSearch checks its disks every 30 seconds.
      "cluster.info.update.interval": "10s",
    };
    await play(stage, report, extent, { firstHome: join(disk, "node"), settings }, async ({ rounds }) => {
      const filler = join(disk, "filler");
      const { bavail, bsize } = await statfs(disk);
      await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => {});
      await rounds("while a disk is full", foundWithoutNodeMs);
      await rm(filler);
    });
  },
};

interface FaultTools {
  cluster: Cluster;
  /** Makes changes, each of which both servers must find within the time limit. */
  rounds(moment: string, withinMs: number): Promise<void>;
  /** Checks the states on the status page of each server. */
  checkStates(moment: string, states: ComponentStates): Promise<void>;
}

/** Tests two servers with a cluster: they must find changes before the fault and after it. */
async function play(
  stage: Stage,
  report: Report,
  extent: Extent,
  options: ClusterOptions,
  fault: (tools: FaultTools) => Promise<void>,
): Promise<void> {
  const postgres = await stage.postgres();
  const db = stage.connect(postgres);
  const ids = await makeBeats(db, beats);
  const cluster = await Cluster.start(stage, options);
  const url = stage.databaseUrl(postgres);
  const settings = { CATALOGUE_ENGINE: `opensearch://${cluster.hosts.join(",")}` };
  const running = Array.from({ length: servers }, (_, slot) => stage.serve(slot, url, settings));
  await Promise.all(running.map(({ ready }) => ready));
  const key = await makeKey(db, "opensearch@example.com");
  const clients = running.map(({ address }) => new Client(address, key));
  stage.onClose(async () => void (await Promise.all(clients.map((client) => client.close()))));

  let price = 1_000_000;
  /** Changes a beat, and searches on both servers until they find the change. */
  const changeIsFound = async (moment: string, withinMs: number): Promise<void> => {
    const id = ids[price % ids.length] as number;
    price++;
    await db.driver`update beats set price_cents = ${price} where id = ${id}`;
    const changedMs = performance.now();
    const replies: Reply[] = [];
    const old: Reply[] = [];
    const path = `/beats?price_min=${price / 100}&price_max=${price / 100}`;
    const isFoundBy = async (client: Client): Promise<boolean> => {
      while (performance.now() < changedMs + withinMs) {
        const reply = await client.get(path);
        replies.push(reply);
        if (reply.status === 200) {
          if (JSON.parse(reply.body).data.beats[0]?.id === id) return true;
          if (reply.sentMs > changedMs + staleAllowedMs) old.push(reply);
        }
        await sleep(100);
      }
      return false;
    };
    const results = await Promise.all(clients.map(isFoundBy));
    const elapsedMs = Math.round(performance.now() - changedMs);
    report.check(`a change is found ${moment}`, results.every(Boolean), `${elapsedMs} ms, ${countStatuses(replies)}`);
    report.check(`responses without the change ${moment}`, old.length === 0, old.length);
    const refused = replies.filter(({ status }) => status !== 200);
    const allExplained = refused.every(({ status, body }) => status === 503 && body.includes("OpenSearch"));
    report.check(`every other response is 503 with the reason ${moment}`, allExplained, countStatuses(refused));
  };
  const rounds = async (moment: string, withinMs: number): Promise<void> => {
    for (let round = 0; round < roundsEach[extent]; round++) await changeIsFound(moment, withinMs);
  };

  const checkStates = async (moment: string, states: ComponentStates): Promise<void> => {
    const each = running.map(({ address }, index) =>
      statusWithin(report, address, `of server ${index + 1} ${moment}`, states),
    );
    await Promise.all(each);
  };

  await firstBuild(clients);
  await rounds("before the fault", foundWithinMs);
  await fault({ cluster, rounds, checkStates });
  await rounds("after the fault", foundWithoutNodeMs);
  const ended = running.filter(hasEnded).length;
  report.check("the servers continue", ended === 0, ended === 0 ? "same processes" : `${ended} ended`);
}

/** Waits until both servers have results from the first build, for which a busy machine may need minutes. */
async function firstBuild(clients: readonly Client[]): Promise<void> {
  const endMs = performance.now() + buildWithinMs;
  while (performance.now() < endMs) {
    const replies = await Promise.all(clients.map((client) => client.get("/beats?limit=1")));
    if (replies.every(({ status }) => status === 200)) return;
    await sleep(500);
  }
  throw new Error("The first build was not finished in time.");
}
