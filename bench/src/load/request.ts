import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import type { Service } from "../bench.ts";

interface Response {
  body: string;
  headers: IncomingHttpHeaders;
}

const agents = new Map<string, Agent>();

/** Sends a GET over a kept-alive connection. Throws on any status but 200. */
export const get = (service: Service, path: string): Promise<Response> => call(service, "GET", path, 200);

/** Sends a POST of JSON over a kept-alive connection. Throws on any status but `expected`. */
export const post = (service: Service, path: string, value: unknown, expected = 201): Promise<Response> =>
  call(service, "POST", path, expected, JSON.stringify(value));

/** Sends a POST of a form over a kept-alive connection. Throws on any status but 303. */
export const postForm = (service: Service, path: string, fields: Record<string, string>): Promise<Response> =>
  call(service, "POST", path, 303, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded");

/** Downloads a file, and discards its bytes. Throws on any status but 200. */
export function download(
  { origin, key, caFile }: Service,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ bytes: number; seconds: number }> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const options = { agent: agentFor(caFile), headers: { authorization: `Bearer ${key}`, ...headers } };
    request(`${origin}${path}`, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET ${path} returned ${response.statusCode}.`));
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => resolve({ bytes, seconds: (performance.now() - startedMs) / 1_000 }));
      response.on("error", reject);
    })
      .on("error", reject)
      .end();
  });
}

/** Sends a GET. Returns the milliseconds until the end of its response. */
export async function responseMs(service: Service, path: string): Promise<number> {
  const startedMs = performance.now();
  await get(service, path);
  return performance.now() - startedMs;
}

/** Sends a GET. Returns the `data` of the JSON of its response. */
export async function readData<Data>(service: Service, path: string): Promise<Data> {
  return (JSON.parse((await get(service, path)).body) as { data: Data }).data;
}

/** The CPU time that a server's process has used since its start, in seconds. */
export async function cpuSecondsOf(service: Service): Promise<number> {
  const { body } = await get(service, "/metrics");
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(body)?.[1]);
}

interface BeatsPage {
  beats: { id: number }[];
  pagination: { total: number; next_page_url: string | null };
}

/** A page of beats. `next` is the path of the next page, null after the last. */
export async function readPage(service: Service, path: string): Promise<BeatsPage & { next: string | null }> {
  const page = await readData<BeatsPage>(service, path);
  const next = page.pagination.next_page_url;
  return { ...page, next: next === null ? null : next.replace(/^https:\/\/[^/]+/, "") };
}

function call(
  { origin, key, caFile }: Service,
  method: string,
  path: string,
  expected: number,
  body = "",
  type = "application/json",
) {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body !== "") headers["content-type"] = type;
  return new Promise<Response>((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, { agent: agentFor(caFile), method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === expected) resolve({ body: text, headers: response.headers });
        else reject(new Error(`${method} ${path} returned ${response.statusCode}: ${text}`));
      });
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
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
