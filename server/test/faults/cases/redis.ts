import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { startRedis } from "@beatmarket/http/testing/redis-server.ts";
import type { Fault } from "../fault.ts";
import { type Address, Client, countStatuses } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey } from "../stage/stage.ts";
import { allOperational, type ComponentStates, statusWithin } from "../stage/status.ts";

/** The limit of plan standard per minute. */
const limit = 10;
const instances = 2;
const exactWithinMs = 1_000;
const awayMs = { whole: 3_000, short: 500 };

export const redis: Fault = {
  name: "redis",
  about: "Redis is paused, killed, and restarted empty, under two servers that share it",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, 10);
    const shared = await startRedis(await freePort());
    stage.onClose(() => shared.close());
    const url = stage.databaseUrl(postgres);
    const servers = Array.from({ length: instances }, (_, slot) => stage.serve(slot, url, { REDIS_URL: shared.url }));
    await Promise.all(servers.map(({ ready }) => ready));

    let keys = 0;
    /** Sends 30 calls with a new key, half to each server. Returns the number of admitted calls. */
    const admitted = async (): Promise<{ count: number; summary: string }> => {
      const key = await makeKey(db, `redis-${keys++}@example.com`, "standard");
      const clients = servers.map(({ address }) => new Client(address, key));
      const calls = Array.from({ length: 30 }, (_, turn) => (clients[turn % instances] as Client).get("/genres"));
      const replies = await Promise.all(calls);
      await Promise.all(clients.map((client) => client.close()));
      return { count: replies.filter(({ status }) => status === 200).length, summary: countStatuses(replies) };
    };
    const checkSharedLimit = async (moment: string) => {
      const { count, summary } = await admitted();
      report.check(`admitted of ${limit} ${moment}`, count === limit, summary);
    };
    const checkLocalLimits = async (moment: string) => {
      const { count, summary } = await admitted();
      report.check(`admitted by ${instances} servers ${moment}`, count >= limit && count <= instances * limit, summary);
    };
    /** Returns the time until the servers share limits again. */
    const backAfterMs = async (): Promise<number> => {
      const fromMs = performance.now();
      while (performance.now() - fromMs < 30_000) {
        const shares = await Promise.all(servers.map(({ address }) => areLimitsShared(address)));
        if (shares.every(Boolean)) return performance.now() - fromMs;
        await sleep(20);
      }
      return Number.POSITIVE_INFINITY;
    };

    const checkStatusPages = (moment: string, states: ComponentStates) =>
      Promise.all(
        servers.map(({ address }, index) => statusWithin(report, address, `of server ${index + 1} ${moment}`, states)),
      );

    await checkSharedLimit("before the faults");
    for (const [fault, leave, comeBack] of [
      ["paused", async () => shared.pause(), async () => shared.resume()],
      ["killed and restarted", shared.kill, shared.start],
    ] as const) {
      await leave();
      await checkLocalLimits(`while Redis is ${fault}`);
      await checkStatusPages(`while Redis is ${fault}`, { ...allOperational, api: "degraded_performance" });
      await sleep(awayMs[extent]);
      await comeBack();
      report.bound(
        `time until limits are shared again after Redis was ${fault}`,
        await backAfterMs(),
        exactWithinMs,
        "ms",
      );
      await checkStatusPages(`after Redis was ${fault}`, allOperational);
      await checkSharedLimit(`after Redis was ${fault}`);
    }
    const ended = servers.filter(hasEnded).length;
    report.check("the servers continue", ended === 0, ended === 0 ? "same processes" : `${ended} ended`);
  },
};

async function areLimitsShared(address: Address): Promise<boolean> {
  const client = new Client(address, "none");
  const { body } = await client.getOutsideApi("/metrics");
  await client.close();
  return /^beatmarket_rate_limits_shared 1$/m.test(body);
}
