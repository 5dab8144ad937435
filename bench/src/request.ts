import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import type { Bench } from "./bench.ts";

type Caller = Pick<Bench, "origin" | "key" | "caFile">;

let agent: Agent | undefined;

/** One GET over a connection that is kept; throws on any status but 200. */
export const get = (caller: Caller, path: string): Promise<{ body: string }> => call(caller, "GET", path, 200);

/** One POST of JSON over a connection that is kept; throws on any status but 201. */
export const post = (caller: Caller, path: string, value: unknown): Promise<{ body: string }> =>
  call(caller, "POST", path, 201, JSON.stringify(value));

function call({ origin, key, caFile }: Caller, method: string, path: string, expected: number, body = "") {
  agent ??= new Agent({ keepAlive: true, maxSockets: 64, ca: readFileSync(caFile) });
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body !== "") headers["content-type"] = "application/json";
  return new Promise<{ body: string }>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { agent, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === expected) resolve({ body: text });
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`));
      });
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
