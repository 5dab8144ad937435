import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "./service.ts";

/** A raw webhook request. */
export interface Delivery {
  body: Buffer;
  headers: Record<string, string>;
  event: { type: string };
}

export interface Deliveries {
  /** One delivery of each event type. */
  deliveries: Delivery[];
  secret: string;
  newSecret: string;
  /** Deliveries after the rotation of the secret. */
  rotated: Delivery[];
}

const timeoutMs = 600_000;

/** Creates an endpoint, triggers one delivery of each event type, rotates the secret, and triggers them again. */
export async function receiveDeliveries(service: Service, types: readonly string[]): Promise<Deliveries> {
  const receivedDeliveries: Delivery[] = [];
  const receiver = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    receivedDeliveries.push({ body, headers, event: JSON.parse(body.toString("utf8")) });
    outgoing.end();
  }).listen(0, "localhost");
  await once(receiver, "listening");
  try {
    const url = `http://localhost:${(receiver.address() as AddressInfo).port}/`;
    const endpoint = await service.command("webhooks", "create", "--email", "receiver@example.com", "--url", url);
    const deliverAll = async (): Promise<Delivery[]> => {
      receivedDeliveries.length = 0;
      await service.command("webhooks", "test", String(endpoint.id));
      for (let waitedMs = 0; receivedDeliveries.length < types.length; waitedMs += 50) {
        if (waitedMs > timeoutMs)
          throw new Error(`Only ${receivedDeliveries.length} of ${types.length} deliveries arrived.`);
        await sleep(50);
      }
      return [...receivedDeliveries];
    };
    const deliveries = await deliverAll();
    const { secret: newSecret } = await service.command("webhooks", "rotate", String(endpoint.id));
    return { deliveries, secret: String(endpoint.secret), newSecret: String(newSecret), rotated: await deliverAll() };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}
