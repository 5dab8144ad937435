import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import type { Bench } from "./bench.ts";

let agent: Agent | undefined;

/** One GET over a connection that is kept; throws on any status but 200. */
export function get(bench: Pick<Bench, "origin" | "key" | "caFile">, path: string): Promise<{ body: string }> {
  agent ??= new Agent({ keepAlive: true, maxSockets: 64, ca: readFileSync(bench.caFile) });
  return new Promise((resolve, reject) => {
    const call = request(
      `${bench.origin}${path}`,
      { agent, headers: { authorization: `Bearer ${bench.key}` } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const body = Buffer.concat(chunks).toString();
          if (answer.statusCode === 200) resolve({ body });
          else reject(new Error(`${path} answered ${answer.statusCode}: ${body}`));
        });
        answer.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end();
  });
}
