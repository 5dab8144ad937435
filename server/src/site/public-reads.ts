import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { ApiError } from "../errors.ts";
import { clientNetwork } from "../http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "../http/admission/concurrency-limiter.ts";
import type { Representation } from "../http/negotiation/representation.ts";
import type { RequestContext } from "../http/pipeline/request-context.ts";
import { TokenBuckets } from "../http/rate-limit/token-buckets.ts";

/** Reads of one network: somebody who types makes some three a second. */
const perNetwork = { burst: 60, perSecond: 4 };
/** Of all networks together. A search takes milliseconds of the catalogue index, which calls with a key use too. */
const ofAll = { burst: 90, perSecond: 30 };
/** How long a page is sent as it was read. */
export const freshSeconds = 30;
const maxBytes = 4 * 1024 * 1024;

export interface PublicPage {
  representation: Representation;
  headers: Readonly<Record<string, string>>;
}

/**
 * Reads of the catalogue by people without a key. A page is read once for everybody and sent for 30 seconds; what is
 * read beyond that is bounded for each network and for all together, and takes permits of a lane of its own.
 */
export class PublicReads {
  readonly #concurrency: Pick<ConcurrencyLimiter, "run">;
  readonly #networks: TokenBuckets;
  readonly #all: TokenBuckets;
  readonly #pages: LRUCache<string, PublicPage>;
  readonly #reading = new Map<string, Promise<PublicPage>>();

  constructor({ clock, concurrency }: { clock: Clock; concurrency: Pick<ConcurrencyLimiter, "run"> }) {
    this.#concurrency = concurrency;
    this.#networks = new TokenBuckets(clock, perNetwork);
    this.#all = new TokenBuckets(clock, ofAll, 1);
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      // Compressed forms come later; together they are about a third of the plain one.
      sizeCalculation: ({ representation }, name) =>
        Math.ceil(representation.body.length * 1.35) + 2 * name.length + 600,
      ttl: freshSeconds * 1_000,
      ttlResolution: 0,
      perf: { now: () => clock.monotonicMs() + 1 },
    });
  }

  get cached(): { entries: number; bytes: number } {
    return { entries: this.#pages.size, bytes: this.#pages.calculatedSize };
  }

  /**
   * The page of this name: a recent one, or made now. Requests at one time share one reading. Throws 429 for a network that
   * reads too much, 503 when all together do.
   */
  async page(name: string, context: RequestContext, make: () => Promise<PublicPage>): Promise<PublicPage> {
    const known = this.#pages.get(name) ?? this.#reading.get(name);
    if (known !== undefined) return known;
    if (!this.#networks.take(clientNetwork(context.clientAddress))) throw tooManyReads();
    if (!this.#all.take("all")) throw tooBusy();
    const reading = this.#concurrency.run("page", make, context.receivedMs);
    this.#reading.set(name, reading);
    try {
      const page = await reading;
      page.representation.detach();
      this.#pages.set(name, page);
      return page;
    } finally {
      this.#reading.delete(name);
    }
  }
}

const tooManyReads = (): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many pages",
    "Your network opened too many pages at once; try again in 2 seconds, or use an API key.",
    { headers: { "retry-after": "2", "cache-control": "no-store" } },
  );

const tooBusy = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "More people are looking than these pages are for; try again in 2 seconds, or use an API key.",
    { headers: { "retry-after": "2", "cache-control": "no-store" }, refusedBy: "overload" },
  );
