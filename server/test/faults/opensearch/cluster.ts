import { type OpenSearchNode, startOpenSearch } from "@beatmarket/catalogue-opensearch/testing/opensearch-node.ts";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import type { Stage } from "../stage/stage.ts";
import { TransportLinks } from "./transport-links.ts";

const names = ["one", "two", "three"];

export interface ClusterOptions {
  /** The folder of the first node, for example on a small disk. */
  firstHome?: string;
  settings?: Record<string, string | number | boolean>;
}

/** Three nodes with replicas. They reach one another through links that can be cut. */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #ports: number[] = [];
  readonly #links: TransportLinks;
  readonly #nodes: OpenSearchNode[] = [];

  private constructor(options: ClusterOptions, links: TransportLinks) {
    this.#options = options;
    this.#links = links;
  }

  static async start(stage: Stage, options: ClusterOptions = {}): Promise<Cluster> {
    const cluster = new Cluster(options, await TransportLinks.open(await Promise.all(names.map(() => freePort()))));
    stage.onClose(() => cluster.#close());
    cluster.#ports.push(...(await Promise.all(names.map(() => freePort()))));
    await Promise.all([...names.keys()].map((node) => cluster.restart(node)));
    return cluster;
  }

  get hosts(): string[] {
    return this.#ports.map((port) => `127.0.0.1:${port}`);
  }

  async kill(node: number): Promise<void> {
    await this.#nodes[node]?.kill();
  }

  async restart(node: number): Promise<void> {
    const { settings, firstHome } = this.#options;
    const home = this.#nodes[node]?.home ?? (node === 0 ? firstHome : undefined);
    const { ports, publicPorts } = this.#links;
    this.#nodes[node] = await startOpenSearch({
      port: this.#ports[node] as number,
      cluster: {
        name: "faults",
        node: names[node] as string,
        nodes: names,
        transportPort: ports[node] as number,
        transportPorts: publicPorts,
      },
      settings: { "transport.publish_port": publicPorts[node] as number, ...settings },
      ...(home !== undefined && { home }),
    });
  }

  /** Suspends the process of a node, which keeps its connections. */
  pause(node: number): void {
    this.#nodes[node]?.process.kill("SIGSTOP");
  }

  resume(node: number): void {
    this.#nodes[node]?.process.kill("SIGCONT");
  }

  /** Isolates a node from the others, in both directions. Servers can still reach it. */
  async cutOff(node: number): Promise<void> {
    await this.#links.cutOff(node, this.#nodes[node]?.process.pid as number);
  }

  rejoin(): void {
    this.#links.rejoin();
  }

  async #close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()));
    this.#links.close();
  }
}
