import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Address } from "./client.ts";

const probeEveryMs = 200;
const hopByHop = ["connection", "keep-alive", "transfer-encoding"];

interface Instance {
  address: () => Address;
  isReady: boolean;
  /** The agent of each protocol. They are replaced when the instance has a new certificate. */
  agents: { ca: string; allAgents: Agent[] };
}

/**
 * A minimal load balancer. It checks /readyz of each instance, sends each request to a ready instance over persistent
 * connections, alternates HTTP/1.1 and HTTP/2, and repeats no request.
 */
export class ReadinessProxy {
  readonly #instances: Instance[];
  readonly #server = createServer((incoming, outgoing) => void this.#forward(incoming, outgoing));
  #turn = 0;
  #isOpen = true;
  readonly #probing: Promise<void>;

  constructor(addresses: readonly (() => Address)[]) {
    this.#instances = addresses.map((address) => ({ address, isReady: false, agents: { ca: "", allAgents: [] } }));
    this.#probing = this.#probe();
  }

  async listen(): Promise<Address> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return { origin: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`, ca: "" };
  }

  /** Resolves when the instance gets requests (`isReady`), or when it gets no more requests. */
  async untilReadiness(index: number, isReady: boolean): Promise<void> {
    while (this.#instances[index]?.isReady !== isReady) await sleep(probeEveryMs / 4);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#probing;
    this.#server.closeAllConnections();
    this.#server.close();
    await Promise.all(this.#instances.flatMap(({ agents }) => agents.allAgents.map((agent) => agent.destroy())));
  }

  async #probe(): Promise<void> {
    while (this.#isOpen) {
      await Promise.all(
        this.#instances.map(async (instance) => {
          instance.isReady = await this.#isReady(instance);
        }),
      );
      await sleep(probeEveryMs);
    }
  }

  async #isReady(instance: Instance): Promise<boolean> {
    const dispatcher = agentsOf(instance)[0];
    if (dispatcher === undefined) return false;
    try {
      const { statusCode, body } = await request(`${instance.address().origin}/readyz`, { dispatcher });
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const ready = this.#instances.filter(({ isReady }) => isReady);
    const instance = ready[this.#turn++ % ready.length];
    if (instance === undefined) return void outgoing.writeHead(502).end("no instance is ready");
    try {
      const dispatcher = agentsOf(instance)[Math.floor(this.#turn / 2) % 2] as Agent;
      const { statusCode, headers, body } = await request(`${instance.address().origin}${incoming.url}`, {
        dispatcher,
        method: incoming.method as "GET",
        headers: without(incoming.headers, [...hopByHop, "host"]),
        body: incoming.method === "GET" ? null : incoming,
      });
      outgoing.writeHead(statusCode, without(headers, hopByHop));
      await pipeline(body, outgoing);
    } catch (error) {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(String(error));
    }
  }
}

function agentsOf({ address, agents }: Instance): Agent[] {
  const { ca } = address();
  if (ca !== "" && ca !== agents.ca) {
    agents.ca = ca;
    agents.allAgents = [false, true].map((allowH2) => new Agent({ allowH2, connect: { ca } }));
  }
  return agents.allAgents;
}

const without = <Value>(headers: Record<string, Value>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
