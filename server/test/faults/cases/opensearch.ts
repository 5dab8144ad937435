import { setTimeout as sleep } from "node:timers/promises";
import {
  type NodeOptions,
  type OpenSearchNode,
  startOpenSearch,
} from "@beatmarket/catalogue-opensearch/testing/opensearch-node.ts";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import type { Fault } from "../fault.ts";
import { Client, type Reply, tallied } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey } from "../stage/stage.ts";

const names = ["one", "two", "three"];
const beats = 200;
const servers = 2;
/** A change must be found within this time once a majority of the nodes responds. */
const foundWithinMs = 60_000;
const buildWithinMs = 300_000;
const roundsEach = { whole: 3, short: 1 };

export const openSearch: Fault = {
  name: "opensearch",
  about: "one of three nodes of OpenSearch is killed, and comes back, under two servers",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    const ids = await makeBeats(db, beats);
    const cluster = await Cluster.start();
    stage.onClose(() => cluster.close());
    const url = stage.databaseUrl(postgres);
    const settings = { CATALOGUE_ENGINE: `opensearch://${cluster.hosts.join(",")}` };
    const running = Array.from({ length: servers }, (_, slot) => stage.serve(slot, url, settings));
    await Promise.all(running.map(({ ready }) => ready));
    const key = await makeKey(db, "opensearch@example.com");
    const clients = running.map(({ address }) => new Client(address, key));
    stage.onClose(async () => void (await Promise.all(clients.map((client) => client.close()))));

    let price = 1_000_000;
    /** Changes a beat, and asks both servers until they find it. */
    const changeIsFound = async (when: string): Promise<void> => {
      const id = ids[price % ids.length] as number;
      await db.driver`update beats set price_cents = ${++price} where id = ${id}`;
      const replies: Reply[] = [];
      const path = `/beats?price_min=${price / 100}&price_max=${price / 100}`;
      const isFoundBy = async (client: Client): Promise<boolean> => {
        const endMs = performance.now() + foundWithinMs;
        while (performance.now() < endMs) {
          const reply = await client.get(path);
          replies.push(reply);
          if (reply.status === 200 && JSON.parse(reply.body).data.beats[0]?.id === id) return true;
          await sleep(100);
        }
        return false;
      };
      const found = await Promise.all(clients.map(isFoundBy));
      report.check(`a change is found ${when}`, found.every(Boolean), tallied(replies));
      const refused = replies.filter(({ status }) => status !== 200);
      const isRefused = refused.every(({ status }) => status === 503);
      report.check(`nothing but 503 besides ${when}`, isRefused, tallied(refused));
    };
    const rounds = async (when: string): Promise<void> => {
      for (let round = 0; round < roundsEach[extent]; round++) await changeIsFound(when);
    };

    await firstBuild(clients);
    await rounds("before");
    await cluster.kill(0);
    await rounds("while a node is killed");
    await cluster.restart(0);
    await rounds("after it is back");
    const ended = running.filter(hasEnded).length;
    report.check("the servers go on", ended === 0, ended === 0 ? "same processes" : `${ended} ended`);
  },
};

/** Waits until both servers find something in the first build, which a busy machine may need minutes for. */
async function firstBuild(clients: readonly Client[]): Promise<void> {
  const endMs = performance.now() + buildWithinMs;
  while (performance.now() < endMs) {
    const replies = await Promise.all(clients.map((client) => client.get("/beats?limit=1")));
    if (replies.every(({ status }) => status === 200)) return;
    await sleep(500);
  }
  throw new Error("The first build was not finished in time.");
}

/** Three nodes, each with a copy of what another has. */
class Cluster {
  readonly #options: readonly NodeOptions[];
  readonly #nodes: OpenSearchNode[] = [];

  private constructor(options: readonly NodeOptions[]) {
    this.#options = options;
  }

  static async start(): Promise<Cluster> {
    const ports = await Promise.all([...names, ...names].map(() => freePort()));
    const transportPorts = ports.slice(names.length);
    const options = names.map((node, at) => ({
      port: ports[at] as number,
      cluster: {
        ...{ name: "faults", node, nodes: names, transportPorts },
        transportPort: transportPorts[at] as number,
      },
    }));
    const started = new Cluster(options);
    await Promise.all([...names.keys()].map((node) => started.restart(node)));
    return started;
  }

  get hosts(): string[] {
    return this.#nodes.map(({ host }) => host);
  }

  async kill(node: number): Promise<void> {
    await this.#nodes[node]?.kill();
  }

  async restart(node: number): Promise<void> {
    const home = this.#nodes[node]?.home;
    this.#nodes[node] = await startOpenSearch({ ...this.#options[node], ...(home !== undefined && { home }) });
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()));
  }
}
