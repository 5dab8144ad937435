import { once } from "node:events";
import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { serve } from "../programs.ts";
import { median } from "../report.ts";

const pollMs = 5;

type Starting = Pick<Bench, "env" | "origin" | "key" | "rounds" | "report">;

/** From the start of the process, database included, to the first answer with beats. Nothing may run before. */
export async function startUp({ env, origin, key, rounds, report }: Starting): Promise<void> {
  const durationsMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now();
    const starting = serve(env);
    while (!(await isAnswered(`${origin}/v1/beats`, key))) await sleep(pollMs);
    durationsMs.push(performance.now() - startedMs);
    await (await starting).stop();
  }
  report({ case: "start to first answer", value: median(durationsMs) / 1000, unit: "s", reach: { max: 2 } });
}

async function isAnswered(url: string, key: string): Promise<boolean> {
  // On a first run there is no certificate yet to trust, and all stays on this machine.
  const agent = new Agent({ rejectUnauthorized: false });
  const sent = request(url, { agent, headers: { authorization: `Bearer ${key}` } }).end();
  try {
    const [answer] = await once(sent, "response");
    answer.resume();
    return answer.statusCode === 200;
  } catch {
    return false;
  } finally {
    agent.destroy();
  }
}
