import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";

const hourly = 10;

/** Limit of messages about one order by one party within an hour: each is a mail to the other party. */
export class ContactLimits {
  readonly #buckets: TokenBuckets;

  constructor(clock: Clock) {
    this.#buckets = new TokenBuckets(clock, { burst: hourly, perSecond: hourly / 3_600 });
  }

  /** Throws 429. */
  take(orderId: number, author: "buyer" | "producer"): void {
    if (this.#buckets.take(`${orderId} ${author}`)) return;
    throw new ApiError(
      429,
      "rate_limit_exceeded",
      "Too many messages",
      `At most ${hourly} messages an hour are sent about one order. Wait some minutes, then try again.`,
      { headers: { "retry-after": "360" }, refusedBy: "limit:messages" },
    );
  }
}
