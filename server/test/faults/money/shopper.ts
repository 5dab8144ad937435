import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { StripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import { type Address, Client, type Reply } from "../stage/client.ts";
import { makeKey } from "../stage/stage.ts";

interface Shop {
  stripe: StripeServer;
  clients: readonly Client[];
  beats: readonly number[];
}

/** Opens checkouts at either server and pays most of them on Stripe's page. Some shoppers return to the shop's page. */
export class Shopper {
  readonly replies: Reply[] = [];
  readonly #shop: Shop;

  private constructor(shop: Shop) {
    this.#shop = shop;
  }

  static async make({
    db,
    addresses,
    index,
    ...shop
  }: Omit<Shop, "clients"> & { db: TestDatabase; addresses: readonly Address[]; index: number }): Promise<Shopper> {
    const key = await makeKey(db, `shopper-${index}@example.com`);
    return new Shopper({ ...shop, clients: addresses.map((address) => new Client(address, key)) });
  }

  async shop(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#buy();
      await sleep(20);
    }
    await Promise.all(this.#shop.clients.map((client) => client.close()));
  }

  async #buy(): Promise<void> {
    const { stripe, beats } = this.#shop;
    const beatIds = new Set(Array.from({ length: 1 + randomInt(3) }, () => beats[randomInt(beats.length)]));
    const items = [...beatIds].map((beat_id) => ({
      beat_id,
      license_type: randomInt(20) === 0 ? "exclusive" : "basic",
    }));
    const body = JSON.stringify({ items, email: `${randomUUID()}@example.com` });
    const key = randomUUID();
    // If a response was lost, the shopper sends the request again with the same key, to either server.
    for (let attempt = 0; attempt < 5; attempt++) {
      const reply = await this.#send("POST", "/v1/checkouts", {
        body,
        headers: { "content-type": "application/json", "idempotency-key": key },
      });
      if (reply.status === 201) {
        const session = URL.parse(JSON.parse(reply.body).data.checkout.url)?.pathname.split("/").at(-1) ?? "";
        return this.#pay(stripe, session);
      }
      if (reply.status >= 400 && reply.status < 500 && reply.headers["retry-after"] === undefined) return;
      await sleep(200);
    }
  }

  async #pay({ account }: StripeServer, session: string): Promise<void> {
    if (randomInt(10) === 0 || account.session(session).status !== "open") return;
    account.paySession(session, randomInt(10) === 0 ? "pm_card_visa_chargeDeclined" : "pm_card_visa");
    const returnUrl = URL.parse(account.session(session).success_url ?? "");
    if (returnUrl !== null && randomInt(2) === 0) await this.#send("GET", returnUrl.pathname + returnUrl.search);
  }

  async #send(
    method: "GET" | "POST",
    path: string,
    options: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const { clients } = this.#shop;
    const reply = await (clients[randomInt(clients.length)] as Client).send({ method, path, ...options });
    this.replies.push(reply);
    return reply;
  }
}
