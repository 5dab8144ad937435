import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import type { Database } from "../../../src/database/connect.ts";
import { findOrCreateAccount, markMarketplace } from "../../../src/resources/users/accounts.ts";
import { createEndpoint } from "../../../src/resources/webhooks/endpoints.ts";
import type { EventType } from "../../../src/resources/webhooks/event-types.ts";
import { type Stage, secretKey } from "./stage.ts";

/** Handles a request that a receiver has read. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const acceptAll: Behaviour = (_, response) => response.end("ok");

/** A webhook receiver that records its requests. */
export class Receiver {
  /** The bodies by event id, in the order of receipt. */
  readonly bodies = new Map<string, Set<string>>();
  /** The time of the first receipt of each event. */
  readonly firstMs = new Map<string, number>();
  requests = 0;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  static async listen(stage: Stage, behaviour: Behaviour = acceptAll): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request) chunks.push(chunk);
      } catch {
        return; // The sender was killed.
      }
      receiver.#record(String(request.headers["webhook-id"]), Buffer.concat(chunks).toString());
      behaviour(request, response);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    stage.onClose(async () => {
      server.closeAllConnections();
      server.close();
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  #record(id: string, body: string): void {
    this.requests++;
    this.bodies.set(id, (this.bodies.get(id) ?? new Set()).add(body));
    if (!this.firstMs.has(id)) this.firstMs.set(id, performance.now());
  }
}

/** Subscribes an account flagged `marketplace`, which receives every beat.purchased event. */
export async function subscribe(
  db: Database,
  url: string,
  email = "marketplace@example.com",
  eventTypes: EventType[] = ["beat.purchased"],
) {
  const { id: userId } = await findOrCreateAccount(db.query, { email });
  await markMarketplace(db.query, email, true);
  const secrets = await openSecretBox({ dataDir: "", secretKey });
  await createEndpoint(
    db.query,
    { userId, url, eventTypes },
    { secrets, allowPrivate: true, now: new Date() },
    "operator",
  );
}
