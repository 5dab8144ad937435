import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { createClient } from "@redis/client";
import { type RedisProgram, type RedisServer, startRedis } from "./redis-server.ts";

/** Sends one command over a new connection. */
export async function redisCommand(url: string, ...args: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  await client.connect();
  try {
    return await client.sendCommand(args);
  } finally {
    client.destroy();
  }
}

/** Repeats a command until the server's reply matches. */
const untilReply = (url: string, command: string[], expected: RegExp): Promise<void> =>
  eventually(async () => {
    const result = await redisCommand(url, ...command);
    const reply = typeof result === "string" ? result : JSON.stringify(result);
    if (!expected.test(reply)) throw new Error(`${command.join(" ")} answered: ${reply}`);
  });

export interface RedisCluster {
  /** The three masters, and the replica of the first. */
  masters: RedisServer[];
  replica: RedisServer;
  close(): Promise<void>;
}

const slots = [
  ["0", "5460"],
  ["5461", "10922"],
  ["10923", "16383"],
] as const;

/**
 * Starts a cluster of three masters. The first has a replica, which is promoted half a second after the master ended.
 */
export async function startRedisCluster(program: RedisProgram): Promise<RedisCluster> {
  const busPorts: number[] = [];
  const node = async () => {
    const [port, busPort] = [await freePort(), await freePort()];
    busPorts.push(busPort);
    const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "500", "--cluster-port", String(busPort)];
    return startRedis(port, settings, program);
  };
  const servers = [await node(), await node(), await node(), await node()];
  const urlOf = (index: number) => servers[index]?.url ?? "";
  for (const [index, range] of slots.entries()) await redisCommand(urlOf(index), "CLUSTER", "ADDSLOTSRANGE", ...range);
  for (const [index, { url }] of servers.entries())
    await redisCommand(urlOf(0), "CLUSTER", "MEET", "127.0.0.1", new URL(url).port, String(busPorts[index]));
  for (const { url } of servers) await untilReply(url, ["CLUSTER", "INFO"], /cluster_state:ok.*cluster_known_nodes:4/s);
  await redisCommand(urlOf(3), "CLUSTER", "REPLICATE", String(await redisCommand(urlOf(0), "CLUSTER", "MYID")));
  await untilReply(urlOf(3), ["INFO", "replication"], /master_link_status:up/);
  await untilReply(urlOf(1), ["CLUSTER", "NODES"], / slave /);
  const [replica] = servers.splice(3);
  if (replica === undefined) throw new Error("The cluster must have four servers.");
  return {
    masters: servers,
    replica,
    close: async () => {
      for (const server of [...servers, replica]) await server.close();
    },
  };
}

export interface SentinelServers {
  master: RedisServer;
  replica: RedisServer;
  /** `redis+sentinel://` URL of the only Sentinel, in which the master's name is "limits". */
  url: string;
  close(): Promise<void>;
}

/** Starts a master, a replica, and a Sentinel that promotes the replica half a second after the master ended. */
export async function startRedisWithSentinel(program: RedisProgram): Promise<SentinelServers> {
  const master = await startRedis(await freePort(), [], program);
  const masterPort = new URL(master.url).port;
  const replica = await startRedis(await freePort(), ["--replicaof", "127.0.0.1", masterPort], program);
  await untilReply(replica.url, ["INFO", "replication"], /master_link_status:up/);
  const dir = await mkdtemp(join(tmpdir(), "beatmarket-sentinel-"));
  const port = await freePort();
  const settings = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${dir}`,
    `sentinel monitor limits 127.0.0.1 ${masterPort} 1`,
    "sentinel down-after-milliseconds limits 500",
    "sentinel failover-timeout limits 2000",
  ];
  await writeFile(join(dir, "sentinel.conf"), `${settings.join("\n")}\n`);
  const sentinel = spawn(program, [join(dir, "sentinel.conf"), "--sentinel"], { stdio: "ignore" });
  await once(sentinel, "spawn");
  const exitEvent = once(sentinel, "exit");
  const command = ["SENTINEL", "REPLICAS", "limits"];
  await untilReply(`redis://127.0.0.1:${port}`, command, new RegExp(new URL(replica.url).port));
  return {
    master,
    replica,
    url: `redis+sentinel://127.0.0.1:${port}/limits`,
    close: async () => {
      sentinel.kill("SIGKILL");
      await exitEvent;
      await Promise.all([master.close(), replica.close()]);
      await rm(dir, { recursive: true });
    },
  };
}
