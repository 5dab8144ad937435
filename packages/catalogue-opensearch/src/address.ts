/** The address of a cluster. */
export interface EngineAddress {
  /** The URLs of one or more nodes. */
  nodes: readonly string[];
  /** The beginning of the indices' names. */
  prefix: string;
}

const defaultPrefix = "beatmarket";
const shape =
  /^opensearch(?<tls>\+tls)?:\/\/(?:(?<user>[^@/]+)@)?(?<hosts>[^@/?#]+)(?:\/(?<prefix>[a-z0-9][a-z0-9_-]{0,63})?)?$/;

/**
 * Parses `opensearch://user:password@one:9200,two:9200/prefix`, or with TLS `opensearch+tls://…`. User, password and
 * prefix may be absent. Returns null for another text.
 */
export function engineAddress(value: string): EngineAddress | null {
  const { tls, user, hosts = "", prefix = defaultPrefix } = shape.exec(value)?.groups ?? {};
  const scheme = tls === undefined ? "http" : "https";
  const nodes = hosts.split(",").map((host) => `${scheme}://${user === undefined ? "" : `${user}@`}${host}`);
  if (nodes.some((node) => !URL.canParse(node) || new URL(node).hostname === "")) return null;
  return { nodes: nodes.map((node) => (new URL(node).port === "" ? `${node}:9200` : node)), prefix };
}
