import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { StripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import { type Address, Client } from "../stage/client.ts";

/** Stripe's webhook: sends each event until a server accepts it, to either server, in any order, some twice. */
export class StripeNotices {
  readonly #stripe: StripeServer;
  readonly #clients: readonly Client[];
  readonly #secret: string;
  readonly #refused: object[] = [];
  #next = 0;

  constructor(stripe: StripeServer, addresses: readonly Address[], secret: string) {
    this.#stripe = stripe;
    this.#clients = addresses.map((address) => new Client(address, "", 4));
    this.#secret = secret;
  }

  async deliver(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#deliverDue();
      await sleep(50);
    }
  }

  /** Delivers the remaining events while the servers run, and closes the connections. */
  async deliverAll(): Promise<void> {
    for (let attempt = 0; attempt < 60; attempt++) {
      await this.#deliverDue();
      if (this.#refused.length === 0 && this.#next === this.#stripe.account.events.length) break;
      await sleep(500);
    }
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #deliverDue(): Promise<void> {
    const { events } = this.#stripe.account;
    const dueEvents = [...this.#refused.splice(0), ...events.slice(this.#next)];
    this.#next = events.length;
    const shuffled = dueEvents
      .map((event) => ({ event, place: randomInt(1_000) }))
      .sort((event, otherEvent) => event.place - otherEvent.place)
      .map(({ event }) => event);
    await Promise.all(shuffled.map((event) => this.#post(event)));
    const repeatedEvent = shuffled.at(0);
    if (repeatedEvent !== undefined && randomInt(4) === 0) await this.#post(repeatedEvent);
  }

  async #post(event: object): Promise<void> {
    const { payload, signature } = this.#stripe.signed(event, { secret: this.#secret, atMs: Date.now() });
    const { status } = await (this.#clients[randomInt(this.#clients.length)] as Client).send({
      method: "POST",
      path: "/webhooks/stripe",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      body: payload,
    });
    if (status !== 200) this.#refused.push(event);
  }
}
