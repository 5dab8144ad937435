import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeSource, openSearchJars } from "./opensearch-jars.ts";

/** A node of OpenSearch on this machine. */
export interface OpenSearchNode {
  /** The host and port for HTTP. */
  host: string;
  process: ChildProcess;
  /** The folder with the data. */
  home: string;
  /** Ends the node and keeps the data. */
  kill(): Promise<void>;
  /** Ends the node and removes the data. */
  close(): Promise<void>;
}

export interface NodeOptions {
  /** The cluster to which the node belongs. Default: a cluster of one node. */
  cluster?: {
    name: string;
    node: string;
    nodes: readonly string[];
    transportPort: number;
    transportPorts: readonly number[];
  };
  heapMb?: number;
  /** Whether the node's speed is measured. Its Java code is then fully optimized, and it starts more slowly. */
  isMeasured?: boolean;
  /** The port for HTTP; 0 for a free port. */
  port?: number;
  /** The folder of a killed node. Default: a new folder. */
  home?: string;
  /** Further settings of OpenSearch. */
  settings?: Record<string, string | number | boolean>;
}

export async function startOpenSearch({
  cluster,
  heapMb = 384,
  isMeasured = false,
  port = 0,
  home,
  settings: further = {},
}: NodeOptions = {}): Promise<OpenSearchNode> {
  const jars = await openSearchJars();
  const folder = home ?? (await mkdtemp(join(tmpdir(), "beatmarket-opensearch-")));
  await mkdir(join(folder, "config"), { recursive: true });
  const settings = {
    "path.home": folder,
    "http.port": port,
    "transport.type": "netty4",
    "http.type": "netty4",
    "node.name": cluster?.node ?? "alone",
    "cluster.routing.allocation.disk.threshold_enabled": false,
    ...(cluster === undefined
      ? { "discovery.type": "single-node", "transport.port": 0 }
      : {
          "cluster.name": cluster.name,
          "transport.port": cluster.transportPort,
          "discovery.seed_hosts": cluster.transportPorts.map((each) => `127.0.0.1:${each}`).join(","),
          "cluster.initial_cluster_manager_nodes": cluster.nodes.join(","),
        }),
    ...further,
  };
  const options = [
    `-Xmx${heapMb}m`,
    "-XX:+UseSerialGC",
    ...(isMeasured ? [] : ["-XX:TieredStopAtLevel=1"]),
    "-cp",
    `${jars}/*`,
  ];
  const child = spawn("java", [...options, nodeSource, ...Object.entries(settings).map((each) => each.join("="))], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const listening = await new Promise<string>((ready, fail) => {
    let output = "";
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`OpenSearch ended with status ${code}:\n${output}`)));
    const listen = (data: Buffer) => {
      output += data;
      const [, bound] = /listening on (\d+)/.exec(output) ?? [];
      if (bound !== undefined) ready(bound);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return {
    host: `127.0.0.1:${listening}`,
    process: child,
    home: folder,
    kill,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}
