import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import type { Service } from "./bench.ts";

interface Answer {
  body: string;
  headers: IncomingHttpHeaders;
}

const agents = new Map<string, Agent>();

/** One GET over a connection that is kept; throws on any status but 200. */
export const get = (service: Service, path: string): Promise<Answer> => call(service, "GET", path, 200);

/** One POST of JSON over a connection that is kept; throws on any status but 201. */
export const post = (service: Service, path: string, value: unknown): Promise<Answer> =>
  call(service, "POST", path, 201, JSON.stringify(value));

/** One GET, and how long its whole answer took. */
export async function timed(service: Service, path: string): Promise<number> {
  const startedMs = performance.now();
  await get(service, path);
  return performance.now() - startedMs;
}

/** What a path's JSON holds. */
export async function read<Data>(service: Service, path: string): Promise<Data> {
  return (JSON.parse((await get(service, path)).body) as { data: Data }).data;
}

interface BeatsPage {
  beats: { id: number }[];
  pagination: { total: number; next_page_url: string | null };
}

/** A page of beats; `next` is the path of the one behind it. */
export async function readPage(service: Service, path: string): Promise<BeatsPage & { next: string | null }> {
  const page = await read<BeatsPage>(service, path);
  const next = page.pagination.next_page_url;
  return { ...page, next: next === null ? null : next.replace(/^https:\/\/[^/]+/, "") };
}

function call({ origin, key, caFile }: Service, method: string, path: string, expected: number, body = "") {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body !== "") headers["content-type"] = "application/json";
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { agent: agentFor(caFile), method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === expected) resolve({ body: text, headers: answer.headers });
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`));
      });
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function agentFor(caFile: string): Agent {
  let agent = agents.get(caFile);
  if (agent === undefined) {
    agent = new Agent({ keepAlive: true, maxSockets: 64, ca: readFileSync(caFile) });
    agents.set(caFile, agent);
  }
  return agent;
}
