import { randomUUID } from "node:crypto";
import { createClient, createCluster, ErrorReply } from "@redis/client";
import type { RedisAddress, RedisNode } from "./redis-address.ts";
import { addScript } from "./redis-scripts.ts";
import { slotCount, slotOfBucket } from "./redis-slots.ts";

/** Maximum number of buckets to try to find one for each master. A cluster of a thousand masters needs about 7,500. */
const maxProbedBuckets = 100_000;

/** Redis responds but cannot count, because of its configuration or state. A retry may not help. */
export class RedisRefusal extends Error {
  /** The reason in one word: the code of the error reply, or a code of this store. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Converts an error to a refusal; null for any other error, such as a lost connection. */
export function refusalOf(error: unknown): RedisRefusal | null {
  if (error instanceof RedisRefusal) return error;
  if (!(error instanceof ErrorReply)) return null;
  const code = /^[A-Z]{2,20}\b/.exec(error.message)?.[0] ?? "ERR";
  return new RedisRefusal(code, `Redis answers with an error: ${error.message}`, { cause: error });
}

type Command = (args: string[]) => Promise<unknown>;

/** The servers that store the buckets: a single server, or the masters of a cluster. */
interface Servers {
  /** The run id of the bucket's server. Changes with a restart, which may lose data. */
  runOf(bucket: number): string;
  keyOf(run: string, bucket: number): string;
  send(bucket: number, args: string[]): Promise<unknown>;
  /** One bucket of each server. */
  probeBuckets: number[];
}

/** Connections to a Redis server, a cluster, or the master that Sentinel names. Can be opened only once. */
export class RedisLink {
  readonly #address: RedisAddress;
  readonly #connectTimeoutMs: number;
  readonly #onLost: (reason: unknown) => void;
  readonly #clients: { destroy(): void }[] = [];
  #servers: Servers | null = null;
  #isDestroyed = false;

  /** `connectTimeoutMs` applies to each connection. */
  constructor(address: RedisAddress, connectTimeoutMs: number, onLost: (reason: unknown) => void) {
    this.#address = address;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#onLost = onLost;
  }

  /** Connects, and checks that each server accepts writes. Rejects if a server does not. */
  async open(): Promise<void> {
    this.#servers = await this.#connect();
    await Promise.all(this.probeBuckets.map((bucket) => this.#probe(bucket)));
  }

  /** One bucket of each server. */
  get probeBuckets(): readonly number[] {
    return this.#openServers.probeBuckets;
  }

  runOf(bucket: number): string {
    return this.#openServers.runOf(bucket);
  }

  /** The key of a bucket. */
  keyOf(bucket: number): string {
    return this.#openServers.keyOf(this.runOf(bucket), bucket);
  }

  /** Sends a command whose only key is the bucket's key. */
  send(bucket: number, command: readonly string[]): Promise<unknown> {
    return this.#openServers.send(bucket, [...command]);
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const client of this.#clients) client.destroy();
  }

  get #openServers(): Servers {
    if (this.#servers === null) throw new Error("The connection to Redis is not open.");
    return this.#servers;
  }

  async #connect(): Promise<Servers> {
    const { kind, nodes } = this.#address;
    if (kind === "cluster") return this.#cluster(nodes);
    const node = kind === "sentinel" ? await this.#masterNode() : nodes[0];
    if (node === undefined) throw new Error("REDIS_URL names no host.");
    const { client, send } = await this.#client(node, this.#credentials);
    const info = await infoOf(send);
    if (info.isSentinel)
      throw new RedisRefusal(
        "SENTINEL",
        "REDIS_URL names a Sentinel, which does not count: write redis+sentinel://HOST:26379/NAME, with the master's name",
      );
    if (info.isCluster && kind === "server") {
      client.destroy();
      return this.#cluster([node]);
    }
    requireMaster(info, node);
    return {
      runOf: () => info.runId,
      keyOf: (run, bucket) => `beatmarket:limit:${run}:${bucket}`,
      send: (_, args) => send(args),
      probeBuckets: [0],
    };
  }

  async #cluster(nodes: readonly RedisNode[]): Promise<Servers> {
    const socket = { ...(this.#address.usesTls ? { tls: true as const } : {}), reconnectStrategy: false as const };
    const cluster = createCluster({
      rootNodes: nodes.map((node) => ({ ...this.#credentials, socket: { ...this.#socketOf(node), ...socket } })),
      defaults: {
        ...this.#credentials,
        socket: { ...socket, connectTimeout: this.#connectTimeoutMs },
        disableOfflineQueue: true,
      },
      topologyRefreshOnReconnectionAttemptStrategy: false,
    });
    let lastError: unknown;
    cluster.on("error", (error) => {
      lastError = error;
    });
    cluster.on("node-error", (error) => this.#onLost(error));
    this.#register(cluster);
    await cluster.connect().catch((error) => {
      throw clusterFault(lastError ?? error);
    });
    const missing = Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => !cluster.slots[slot]);
    if (missing.length > 0)
      throw new RedisRefusal("CLUSTERDOWN", `The Redis cluster serves ${slotCount - missing.length} of 16384 slots`);
    const runs = new Map<string, string>();
    for (const master of cluster.masters) {
      const node = await cluster.nodeClient(master);
      const info = await infoOf((args) => node.sendCommand(args));
      requireMaster(info, master);
      runs.set(master.address, info.runId);
    }
    const owners = cluster.slots.map(({ master }) => master.address);
    return {
      runOf: (bucket) => runs.get(owners[slotOfBucket(bucket)] ?? "") ?? "",
      keyOf: (run, bucket) => `beatmarket:limit:${run}:{${bucket}}`,
      send: (bucket, args) => {
        const slot = slotOfBucket(bucket);
        // All instances must use the run id of the new master in the bucket's key.
        if (cluster.slots[slot]?.master.address !== owners[slot])
          return Promise.reject(new Error("Slots of the Redis cluster have moved to another master."));
        return cluster.sendCommand(`{${bucket}}`, false, args);
      },
      probeBuckets: oneBucketPerMaster(owners),
    };
  }

  /** Returns the master's address, from the first Sentinel that replies with it. */
  async #masterNode(): Promise<RedisNode> {
    const { nodes, masterName, sentinelPassword } = this.#address;
    const credentials = sentinelPassword === undefined ? {} : { password: sentinelPassword };
    const replies = nodes.map(async (node) => {
      const { client, send } = await this.#client(node, credentials, () => {});
      const reply = await send(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName]);
      client.destroy();
      if (!Array.isArray(reply))
        throw new RedisRefusal("SENTINEL", `The Sentinel knows no master named "${masterName}"; see REDIS_URL`);
      return { host: String(reply[0]), port: Number(reply[1]) };
    });
    return Promise.any(replies).catch(({ errors }: AggregateError) => {
      throw errors.find((error) => refusalOf(error) !== null) ?? errors[0];
    });
  }

  async #client(node: RedisNode, credentials: Credentials, onLost = this.#onLost) {
    const client = createClient({
      ...credentials,
      socket: { ...this.#socketOf(node), ...(this.#address.usesTls ? { tls: true as const } : {}) },
      disableOfflineQueue: true,
    });
    client.on("error", (error) => onLost(error));
    this.#register(client);
    await client.connect();
    const send: Command = (args) => client.sendCommand(args);
    return { client, send };
  }

  /** Stores a client, so that `destroy` ends its connections. */
  #register(client: { destroy(): void }): void {
    if (this.#isDestroyed) throw new Error("The connection to Redis was abandoned.");
    this.#clients.push(client);
  }

  readonly #socketOf = ({ host, port }: RedisNode) => ({
    host,
    port,
    connectTimeout: this.#connectTimeoutMs,
    reconnectStrategy: false as const,
  });

  get #credentials(): Credentials {
    const { username, password, database } = this.#address;
    return {
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(database === 0 ? {} : { database }),
    };
  }

  /** Runs the script that writes limits, with a separate key. */
  async #probe(bucket: number): Promise<void> {
    const key = this.#openServers.keyOf(`probe:${randomUUID()}`, bucket);
    await this.send(bucket, ["EVAL", addScript, "1", key, "refill", "1000", "1"]);
  }
}

interface Credentials {
  username?: string;
  password?: string;
  database?: number;
}

interface Info {
  runId: string;
  isSentinel: boolean;
  isCluster: boolean;
  isReplica: boolean;
}

async function infoOf(send: Command): Promise<Info> {
  const text = String(await send(["INFO"]));
  return {
    runId: /^run_id:(\w+)/m.exec(text)?.[1] ?? "",
    isSentinel: /^(redis|server|valkey)_mode:sentinel/m.test(text),
    isCluster: /^cluster_enabled:1/m.test(text),
    isReplica: /^role:(slave|replica)/m.test(text),
  };
}

function requireMaster({ isReplica }: Info, { host, port }: RedisNode): void {
  if (isReplica)
    throw new RedisRefusal(
      "READONLY",
      `${host}:${port} is a read-only replica: name its master in REDIS_URL, or its Sentinels with redis+sentinel://`,
    );
}

function clusterFault(error: unknown): unknown {
  if (error instanceof ErrorReply && /cluster support disabled/.test(error.message))
    return new RedisRefusal("NOCLUSTER", "REDIS_URL names a cluster, but the server is not a cluster: write redis://", {
      cause: error,
    });
  return error;
}

/** Finds one bucket for each master. `owners`: the master of each slot. */
function oneBucketPerMaster(owners: readonly string[]): number[] {
  const remaining = new Set(owners);
  const buckets: number[] = [];
  for (let bucket = 0; remaining.size > 0 && bucket < maxProbedBuckets; bucket++)
    if (remaining.delete(owners[slotOfBucket(bucket)] ?? "")) buckets.push(bucket);
  return buckets;
}
