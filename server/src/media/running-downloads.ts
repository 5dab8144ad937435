import type { Readable } from "node:stream";
import { repeat, type StopRepeating } from "@beatmarket/foundation/repeat.ts";
import type { Logger } from "pino";
import type { Queryable } from "../database/connect.ts";
import { findRefunded } from "../resources/orders/delivery/downloads.ts";

const checkMs = 500;

/**
 * Downloads that are being sent by this process. They end within a second after their order was refunded in full, whichever
 * instance refunded it.
 */
export class RunningDownloads {
  readonly #db: Queryable;
  readonly #log: Logger;
  readonly #sent = new Map<number, Set<Readable>>();
  #stop: StopRepeating | undefined;

  constructor({ db, log }: { db: Queryable; log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  add(orderId: number, sent: Readable): Readable {
    const ofOrder = this.#sent.get(orderId) ?? new Set();
    this.#sent.set(orderId, ofOrder.add(sent));
    this.#stop ??= repeat(
      checkMs,
      () => this.#endRefunded(),
      (err) => this.#log.warn({ err }, "running downloads are not compared with refunds; tried again"),
    );
    return sent.once("close", () => {
      ofOrder.delete(sent);
      if (ofOrder.size === 0 && this.#sent.get(orderId) === ofOrder) this.#sent.delete(orderId);
      if (this.#sent.size > 0) return;
      void this.#stop?.();
      this.#stop = undefined;
    });
  }

  async #endRefunded(): Promise<void> {
    for (const orderId of await findRefunded(this.#db, [...this.#sent.keys()]))
      for (const sent of this.#sent.get(orderId) ?? []) sent.destroy(new Error(`Order ${orderId} was refunded.`));
  }
}
