import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "../../harness/database/driver.ts";
import { type Address, Client, type Reply } from "./client.ts";
import { makeBeats, makeKey } from "./stage.ts";

/**
 * Clients that order and read until the caller stops them. Some never pause. Others pause, so that their connections
 * are idle for a while.
 */
export class MixedLoad {
  readonly replies: Reply[] = [];
  readonly #beats: readonly number[];
  readonly #keys: readonly string[];
  readonly #pauseMs: (reply: Reply) => number;

  private constructor(beats: readonly number[], keys: readonly string[], pauseMs: (reply: Reply) => number) {
    this.#beats = beats;
    this.#keys = keys;
    this.#pauseMs = pauseMs;
  }

  /**
   * Creates a catalogue and a key for each client. `pauseMs` is the pause after a reply, in addition to the client's
   * waits.
   */
  static async prepare(db: TestDatabase, clients: number, pauseMs: (reply: Reply) => number = () => 0) {
    const beats = await makeBeats(db, 100);
    const keys = await Promise.all(Array.from({ length: clients }, (_, index) => makeKey(db, `${index}@example.com`)));
    return new MixedLoad(beats, keys, pauseMs);
  }

  /** Starts the calls to a server. The returned function ends the calls. */
  start(address: Address): () => Promise<void> {
    let isOver = false;
    const loops = this.#keys.map(async (key, index) => {
      const client = new Client(address, key);
      for (let turn = index; !isOver; turn++) {
        const reply = await this.#call(client, turn);
        this.replies.push(reply);
        await sleep(Math.max((index % 4) * 40, this.#pauseMs(reply)));
      }
      await client.close();
    });
    return async () => {
      isOver = true;
      await Promise.all(loops);
    };
  }

  /** Orders that were acknowledged. */
  get acknowledged(): number {
    return this.replies.filter(({ status }) => status === 201).length;
  }

  #call(client: Client, turn: number): Promise<Reply> {
    const beat = this.#beats[turn % this.#beats.length];
    if (turn % 4 === 0) return client.order({ beat_id: beat, payment_method: "pm_card_visa" }, randomUUID());
    return client.get(turn % 4 === 1 ? "/beats?limit=20" : `/beats/${beat}/similar`);
  }
}

export async function completedOrders(db: TestDatabase): Promise<number> {
  const [row] = await db.driver<{ orders: number }[]>`
    select count(*)::int as orders from orders where status = 'completed'`;
  return row?.orders ?? 0;
}
