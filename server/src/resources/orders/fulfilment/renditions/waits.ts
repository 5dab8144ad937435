import { ApiError } from "@beatmarket/foundation/errors.ts";
import { LongPolls } from "@beatmarket/http/long-polls.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import type { Database, Queryable } from "../../../../database/connect.ts";
import { enqueueRenditions, priorities } from "../../../jobs/media-jobs.ts";
import { findRenditions, type Master, type Rendition, type RenditionNotice, renditionsChannel } from "./renditions.ts";

/** The call that waits. */
export type WaitingCall = Pick<KeyCall<object, object, object>, "closed" | "context" | "underPermit" | "clock">;

const defaultMaxWaitMs = 10_000;
const retrySeconds = 5;

/** Requests that wait until any process has made the renditions of a master. */
export class RenditionWaits {
  readonly #db: Queryable;
  readonly #maxWaitMs: number;
  readonly #polls = new LongPolls<RenditionNotice | null>();
  #unfollow: () => void = () => {};

  constructor(db: Queryable, maxWaitMs = defaultMaxWaitMs) {
    this.#db = db;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Resolves once notices arrive. */
  async follow({ listener }: Pick<Database, "listener">): Promise<void> {
    this.#unfollow = await listener.subscribe(renditionsChannel, {
      onNotification: (payload) => this.#polls.notify(JSON.parse(payload)),
      // Notices may have been missed, so every waiting request checks again.
      onListening: () => this.#polls.notify(null),
    });
  }

  /**
   * The renditions of a master, for a buyer. If there are none, they are made before all other waiting work, and the
   * call waits. Throws 503 with Retry-After when that takes too long or fails.
   */
  async of(master: Master, { userId, orderId }: { userId: number; orderId: number }, call: WaitingCall) {
    const { sha256: masterSha256 } = master;
    const find = async (): Promise<Rendition[] | null> => {
      const renditions = await call.underPermit(() => findRenditions(this.#db, master));
      return renditions.length > 0 ? renditions : null;
    };
    const existing = await find();
    if (existing !== null) return existing;
    let failure: string | null = null;
    const isNews = (notice: RenditionNotice | null) => {
      if (notice !== null && notice.masterSha256 !== masterSha256) return false;
      failure = notice?.failure ?? null;
      return true;
    };
    using watch = this.#polls.watch(isNews, call);
    const endMs = performance.now() + this.#maxWaitMs;
    const now = new Date(call.clock.nowMs());
    await call.underPermit(() =>
      enqueueRenditions(this.#db, { masterSha256, userId, priority: priorities.buyerWaits, now }),
    );
    for (;;) {
      const renditions = await find();
      if (renditions !== null) return renditions;
      if (failure !== null) throw notMade(orderId, failure);
      if (!(await watch.next(endMs - performance.now()))) break;
    }
    const late = await find();
    if (late === null) throw stillMade(orderId);
    return late;
  }

  /** Ends all waits, so that the server can stop. */
  stop(): void {
    this.#unfollow();
    this.#polls.stop();
  }
}

const unavailable = (details: string): ApiError =>
  new ApiError(503, "server_error", "Files are not ready", details, {
    headers: { "retry-after": String(retrySeconds) },
    refusedBy: "renditions",
  });

const stillMade = (orderId: number): ApiError =>
  unavailable(`The files of order ${orderId} are still being made; ask again in ${retrySeconds} seconds.`);

const notMade = (orderId: number, failure: string): ApiError =>
  unavailable(
    `The files of order ${orderId} could not be made this time: ${failure} Another request tries again. If it keeps failing, send the marketplace the number of the order.`,
  );
