/** The address of Redis or Valkey: one server, a cluster, or a master that Sentinel knows by name. */
export interface RedisAddress {
  kind: "server" | "cluster" | "sentinel";
  /** The server, or the Sentinels, or some nodes of the cluster, which name the other nodes. */
  nodes: RedisNode[];
  usesTls: boolean;
  username: string | undefined;
  password: string | undefined;
  /** Always 0 for a cluster. */
  database: number;
  /** The master's name in the Sentinels' configuration; "" unless `kind` is "sentinel". */
  masterName: string;
  /** The password of the Sentinels themselves. */
  sentinelPassword: string | undefined;
}

export interface RedisNode {
  host: string;
  port: number;
}

const addressPattern =
  /^(?:redis|valkey)(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^@]*)@)?([^/?#@]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const defaultPorts = { server: 6379, cluster: 6379, sentinel: 26379 };

/** Parses REDIS_URL. Returns null for a form that docs/operating.md does not list. */
export function redisAddress(url: string): RedisAddress | null {
  const match = addressPattern.exec(url);
  if (match === null) return null;
  const [, tls, suffix, credentials, hosts = "", path = "", query = ""] = match;
  const kind = (suffix ?? "server") as RedisAddress["kind"];
  const nodes = hosts.split(",").map((host) => nodeOf(host, defaultPorts[kind]));
  const [, username, password] = /^([^:]*)(?::(.*))?$/s.exec(credentials ?? "") ?? [];
  let masterName = "";
  let database: string | undefined = path;
  if (kind === "sentinel") [masterName = "", database] = path.split("/");
  const parameters = new URLSearchParams(query);
  try {
    const address: RedisAddress = {
      kind,
      nodes: nodes.filter((node) => node !== null),
      usesTls: tls === "s",
      username: username ? decodeURIComponent(username) : undefined,
      password: password ? decodeURIComponent(password) : undefined,
      database: Number(database || 0),
      masterName: decodeURIComponent(masterName),
      sentinelPassword: parameters.get("sentinel_password") ?? undefined,
    };
    return nodes.includes(null) || !isConsistent(address, [...parameters.keys()]) ? null : address;
  } catch {
    // A percent sign without two hexadecimal digits.
    return null;
  }
}

function isConsistent({ kind, nodes, database, masterName }: RedisAddress, parameters: readonly string[]): boolean {
  if (!Number.isInteger(database) || database < 0) return false;
  if (kind === "sentinel") return masterName !== "" && parameters.every((name) => name === "sentinel_password");
  if (parameters.length > 0) return false;
  return kind === "cluster" ? database === 0 : nodes.length === 1;
}

function nodeOf(text: string, defaultPort: number): RedisNode | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return null;
  return { host, port: Number(port ?? defaultPort) };
}
