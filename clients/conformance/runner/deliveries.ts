import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "./service.ts";

/** A webhook request as it came. */
export interface Delivery {
  body: Buffer;
  headers: Record<string, string>;
  event: { type: string };
}

export interface Deliveries {
  /** One of each type. */
  deliveries: Delivery[];
  secret: string;
  newSecret: string;
  /** After the secret was changed. */
  rotated: Delivery[];
}

const types = 5;
const patienceMs = 60_000;

/** Makes an endpoint, has the server send one of each event, changes the secret, and has it send them again. */
export async function receiveDeliveries(service: Service): Promise<Deliveries> {
  const received: Delivery[] = [];
  const receiver = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    received.push({ body, headers, event: JSON.parse(body.toString("utf8")) });
    outgoing.end();
  }).listen(0, "localhost");
  await once(receiver, "listening");
  try {
    const url = `http://localhost:${(receiver.address() as AddressInfo).port}/`;
    const made = await service.command("webhooks", "create", "--email", "receiver@example.com", "--url", url);
    const all = async (): Promise<Delivery[]> => {
      received.length = 0;
      await service.command("webhooks", "test", String(made.id));
      for (let waitedMs = 0; received.length < types; waitedMs += 50) {
        if (waitedMs > patienceMs) throw new Error(`Only ${received.length} of ${types} deliveries came.`);
        await sleep(50);
      }
      return [...received];
    };
    const deliveries = await all();
    const { secret: newSecret } = await service.command("webhooks", "rotate", String(made.id));
    return { deliveries, secret: String(made.secret), newSecret: String(newSecret), rotated: await all() };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}
