import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../fault.ts";
import { countStatuses, type Reply } from "../stage/client.ts";
import { hasEnded } from "../stage/stage.ts";
import { measureCapacity, openShop } from "./overload.ts";
import { residentMb } from "./receivers.ts";

const forMs = 30 * 60_000;
const sampledEveryMs = 1_000;
/** Every two minutes. */
const reportedSamples = 120;
const growthLimitPercent = 5;
const connections = 64;

export const soak: Fault = {
  name: "soak",
  about: "a load of half the capacity, for 30 minutes (only with --soak or --only soak)",
  run: async (stage, report) => {
    const { client, server, ask } = await openShop(stage, connections);
    const perSecond = (await measureCapacity(ask, 8_000)) / 2;
    report.check("requests a second, half of the capacity", perSecond > 0, Math.round(perSecond));

    const unexpected: Reply[] = [];
    const samplesMb: number[] = [];
    let underWay = 0;
    let requestCount = 0;
    const startMs = performance.now();
    for (let nextSampleMs = 0; performance.now() - startMs < forMs; ) {
      const elapsedMs = performance.now() - startMs;
      for (const target = (elapsedMs / 1000) * perSecond; requestCount < target; requestCount++) {
        underWay++;
        void ask().then((reply) => {
          underWay--;
          if (reply.status !== 200) unexpected.push(reply);
        });
      }
      if (elapsedMs >= nextSampleMs) {
        samplesMb.push(await residentMb(server.child.pid));
        nextSampleMs += sampledEveryMs;
        if (samplesMb.length % reportedSamples === 0)
          report.progress(
            `${Math.round(elapsedMs / 60_000)} of ${forMs / 60_000} minutes, ${requestCount} asked, ${samplesMb.at(-1)?.toFixed(0)} MB`,
          );
      }
      await sleep(5);
    }
    while (underWay > 0) await sleep(50);
    await client.close();

    const third = Math.floor(samplesMb.length / 3);
    const mean = (from: number) => samplesMb.slice(from, from + third).reduce((sum, mb) => sum + mb, 0) / third;
    const [second, last] = [mean(third), mean(2 * third)];
    report.check("unsuccessful responses", unexpected.length === 0, `${countStatuses(unexpected)} of ${requestCount}`);
    report.check("the server continues", !hasEnded(server), hasEnded(server) ? "it ended" : "same process");
    report.check(
      "memory in the second and the last third",
      second > 0,
      `${Math.round(second)} and ${Math.round(last)} MB`,
    );
    report.bound("memory of the last third over the second", 100 * (last / second - 1), growthLimitPercent, "%");
  },
};
