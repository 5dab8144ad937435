import { Agent, request } from "undici";
import { permissions } from "../../src/access/roles.ts";
import type { Database } from "../../src/database/connect.ts";
import { generateKey } from "../../src/resources/api-keys/key-format.ts";
import { createKey, revokeKey } from "../../src/resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../../src/resources/users/accounts.ts";
import type { Fault } from "../faults/fault.ts";
import type { Address } from "../faults/stage/client.ts";
import { makeBeats, makeKey } from "../faults/stage/stage.ts";
import { apiOperations } from "../harness/documents/promised-responses.ts";
import { type FuzzOptions, fuzzContract } from "./contract-fuzz/fuzz-contract.ts";
import { makeOwnResources } from "./contract-fuzz/own-resources.ts";
import { shift } from "./shift.ts";

const runs = { whole: 460, short: 5 };
const longestMs = 1_000;
/** The number of keys of each kind whose refusals are timed. */
const timedKeys = { whole: 400, short: 20 };
/**
 * The limit for a difference of times, as a share of their spread. Below it, the time of a refusal does not help to
 * guess a key.
 */
const noise = 0.5;

/** Sends requests that are generated from the OpenAPI document to a real server. */
export const contractFuzz: Fault = {
  name: "contract-fuzz",
  about: "requests made from the OpenAPI document, valid and hostile, on every operation, form and prefix",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, 300);
    const email = "fuzz@example.com";
    const keys = { all: await makeKey(db, email), byPermission: await narrowKeys(db) };
    const server = stage.serve(0, stage.databaseUrl(postgres));
    await server.ready;
    const agent = new Agent({ connect: { ca: server.address.ca } });
    stage.onClose(() => agent.destroy());
    const seed = Date.now() % 2 ** 31;
    const send: FuzzOptions["send"] = async ({ method, url, headers, body }) => {
      const response = await agent.request({
        origin: server.address.origin,
        method: method as "GET",
        path: url,
        headers,
        ...(body !== null && { body }),
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      return { statusCode: response.statusCode, headers: response.headers, bytes };
    };
    const { id: userId } = await findOrCreateAccount(db.query, { email });
    const knownIds = await makeOwnResources({ database: db, userId, key: keys.all, send });
    const {
      requests,
      statuses,
      longestMs: slowestMs,
    } = await fuzzContract({ keys, knownIds, half: "live", seed, runs: runs[extent], send });
    const totals = new Map<number, number>();
    for (const counts of statuses.values())
      for (const [status, count] of counts) totals.set(status, (totals.get(status) ?? 0) + count);
    const statusCounts = [...totals].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    report.check(
      "every response is documented, none is 5xx, and none reveals internals",
      requests === apiOperations.length * 4 * runs[extent],
      `${requests.toLocaleString("en")} requests to ${apiOperations.length} operations (seed ${seed}): ${statusCounts.join(", ")}`,
    );
    report.bound("the slowest response", slowestMs, longestMs, "ms");
    const log = await stage.log(0);
    const leaked = [keys.all, ...Object.values(keys.byPermission)].filter((key) => log.includes(key));
    report.check(
      "no key in what the server logged",
      leaked.length === 0,
      `${log.length.toLocaleString("en")} characters`,
    );
  },
};

/** Measures how long the service takes to refuse keys that never existed, and keys that once worked. */
export const keyTiming: Fault = {
  name: "key-timing",
  about: "a key that was never issued and one that was revoked are refused in the same time",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    const count = timedKeys[extent];
    const revokedKeys = await lapsedKeys(db, count, "revoked");
    const expiredKeys = await lapsedKeys(db, count, "expired");
    const unknownKeys = Array.from({ length: 2 * count }, generateKey);
    const server = stage.serve(0, stage.databaseUrl(postgres));
    await server.ready;
    // The requests come from several networks, since floods from one are slowed down (anonymous-pacing.ts,
    // caller-cache.ts).
    const agents = Array.from(
      { length: 20 },
      (_, index) =>
        new Agent({
          connections: 1,
          localAddress: `127.0.1.${index + 1}`,
          connect: { ca: server.address.ca, servername: "localhost" },
        }),
    );
    let requestCount = 0;
    const refusal = (key: string) => refusalMs(agents[requestCount++ % agents.length] as Agent, server.address, key);
    stage.onClose(async () => void (await Promise.all(agents.map((agent) => agent.destroy()))));
    const times = { unknown: [] as number[], others: [] as number[], revoked: [] as number[], expired: [] as number[] };
    for (const warm of Array.from({ length: 100 }, generateKey)) await refusal(warm);
    // The kinds alternate, so that other load on the machine slows all kinds equally.
    for (let turn = 0; turn < count; turn++) {
      const kinds = [
        ["unknown", unknownKeys[turn]],
        ["revoked", revokedKeys[turn]],
        ["others", unknownKeys[count + turn]],
        ["expired", expiredKeys[turn]],
      ] as const;
      for (let place = 0; place < kinds.length; place++) {
        const [kind, key = ""] = kinds[(place + turn) % kinds.length] ?? ["unknown"];
        times[kind].push(await refusal(key));
      }
    }
    for (const kind of ["others", "revoked", "expired"] as const) {
      const name = kind === "others" ? "other unknown keys" : `${kind} keys`;
      report.bound(
        `${name}: the difference of their median from that of unknown keys`,
        shift(times.unknown, times[kind]),
        noise,
        "of the spread",
      );
    }
    report.check(
      "every key was refused with 401 or 429",
      times.revoked.length === count,
      `${4 * count} refusals timed`,
    );
  },
};

async function refusalMs(agent: Agent, { origin }: Address, key: string): Promise<number> {
  const startedMs = performance.now();
  const { statusCode, body } = await request(`${origin.replace("localhost", "127.0.0.1")}/v1/genres`, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${key}` },
  });
  await body.dump();
  if (statusCode !== 401 && statusCode !== 429) throw new Error(`A bad key got the status ${statusCode}.`);
  return performance.now() - startedMs;
}

/** Creates keys that stopped working yesterday, each in an account of its own. */
async function lapsedKeys({ query: db }: Database, count: number, reason: "revoked" | "expired"): Promise<string[]> {
  const now = new Date();
  const yesterday = new Date(now.getTime() - 86_400_000);
  const keys: string[] = [];
  while (keys.length < count) {
    const { id: userId } = await findOrCreateAccount(db, { email: `${reason}-${keys.length}@example.com` });
    const expiresAt = reason === "expired" ? new Date(yesterday.getTime() + 1_000) : null;
    const newKey = { userId, name: reason, plan: "standard" as const, permissions, expiresAt };
    const { id, key } = await createKey(db, newKey, yesterday);
    if (reason === "revoked") await revokeKey(db, id, { ownerId: userId, author: "operator" }, yesterday);
    keys.push(key);
  }
  return keys;
}

async function narrowKeys(db: Database): Promise<Record<"genres:read" | "search:read", string>> {
  const make = async (permission: "genres:read" | "search:read") => {
    const { id: userId } = await findOrCreateAccount(db.query, {
      email: `${permission.replace(":", "-")}@example.com`,
    });
    const newKey = { userId, name: permission, plan: "internal" as const, permissions: [permission], expiresAt: null };
    return (await createKey(db.query, newKey, new Date())).key;
  };
  return { "genres:read": await make("genres:read"), "search:read": await make("search:read") };
}
