/** Where the cluster is, and what the names of its indices begin with. */
export interface EngineAddress {
  /** URLs of one or more nodes. */
  nodes: readonly string[];
  prefix: string;
}

const defaultPrefix = "beatmarket";
const shape =
  /^opensearch(?<tls>\+tls)?:\/\/(?:(?<user>[^@/]+)@)?(?<hosts>[^@/?#]+)(?:\/(?<prefix>[a-z0-9][a-z0-9_-]{0,63})?)?$/;

/**
 * Reads `opensearch://user:password@one:9200,two:9200/prefix`, or with TLS `opensearch+tls://…`. User, password and
 * prefix may be absent. Returns null for anything else.
 */
export function engineAddress(value: string): EngineAddress | null {
  const { tls, user, hosts = "", prefix = defaultPrefix } = shape.exec(value)?.groups ?? {};
  const scheme = tls === undefined ? "http" : "https";
  const nodes = hosts.split(",").map((host) => `${scheme}://${user === undefined ? "" : `${user}@`}${host}`);
  if (nodes.some((node) => !URL.canParse(node) || new URL(node).hostname === "")) return null;
  return { nodes: nodes.map((node) => (new URL(node).port === "" ? `${node}:9200` : node)), prefix };
}
