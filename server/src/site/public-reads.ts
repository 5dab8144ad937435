import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { clientNetwork, widerNetworks } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import type { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { type TokenBucketRate, TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { LRUCache } from "lru-cache";
import type { Account } from "../access/account.ts";
import type { CatalogueVersion } from "../database/catalogue/catalogue-version.ts";

/** A reader's recent use, which decreases at this rate, and counts up to this amount. */
const readerRate: TokenBucketRate = { burst: 120, perSecond: 0.1 };
/**
 * The number of common tokens that a reader must leave to readers with less use. The first reads count in full, further
 * reads less and less.
 */
const leftToOthers = (tokens: number) => tokens / (1 + tokens / 50);
const commonBudget = "all";

/** A signed-in person, a reader's network, or a wider network around it, which may have `times` as many reads. */
interface Reader {
  name: string;
  times: number;
}

/**
 * Budgets of readers: one for each reader, and one for all together. When the common budget is used up, readers with
 * the least recent use are served first: the more a reader has used, the more common tokens a read must leave.
 */
export class ReadBudget {
  readonly #each: TokenBuckets;
  readonly #used: TokenBuckets;
  readonly #common: TokenBuckets;

  constructor(clock: Clock, rates: { each: TokenBucketRate; all: TokenBucketRate }) {
    this.#each = new TokenBuckets(clock, rates.each);
    this.#used = new TokenBuckets(clock, readerRate);
    this.#common = new TokenBuckets(clock, rates.all, 1);
  }

  /**
   * Counts a read of a reader, and of the networks around it. If a bound is exceeded, counts nothing and returns the
   * bound; otherwise returns null.
   */
  take(readers: readonly Reader[]): "each" | "all" | null {
    if (readers.some(({ name, times }) => this.#each.level(name) < 1 / times)) return "each";
    const largestUse = Math.max(...readers.map(({ name }) => readerRate.burst - this.#used.level(name)));
    if (this.#common.level(commonBudget) < 1 + leftToOthers(largestUse)) return "all";
    this.#common.take(commonBudget);
    for (const { name, times } of readers) {
      this.#each.take(name, 1 / times);
      this.#used.take(name, 1 / times);
    }
    return null;
  }
}

/** The budget of one network, or of one signed-in person. A person who types sends about three reads a second. */
const each = { burst: 60, perSecond: 4 };
/**
 * The budget of all networks together. A search takes milliseconds of the catalogue index, which calls with a key also
 * use.
 */
const ofStrangers = { burst: 90, perSecond: 30 };
/** The budget of all signed-in people together. */
const ofSessions = { burst: 300, perSecond: 100 };
/** The time for which a cached page is served. */
export const freshSeconds = 30;
const maxBytes = 4 * 1024 * 1024;

export interface PublicPage {
  representation: Representation;
  headers: Readonly<Record<string, string>>;
}

export interface PublicReadsParts {
  clock: Clock;
  /** A takedown clears the cached pages, on every instance. */
  catalogue: Pick<CatalogueVersion, "takedowns">;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  /** The signed-in account; null for strangers. */
  findAccount(context: RequestContext): Promise<Account | null>;
}

/**
 * Reads of the catalogue without a key. A page is read once for everyone and sent for 30 seconds (the default), or until
 * a beat is taken down. Further reads are limited for each network and in total, and take permits of a separate lane.
 * Signed-in people have separate budgets, and take the permits of calls with a key.
 */
export class PublicReads {
  readonly #parts: PublicReadsParts;
  readonly #strangers: ReadBudget;
  readonly #sessions: ReadBudget;
  readonly #pages: LRUCache<string, PublicPage>;
  readonly #reading = new Map<string, Promise<PublicPage>>();
  /** The takedowns that the cached pages include. */
  #takedownsVersion = 0;

  constructor(parts: PublicReadsParts) {
    const { clock } = parts;
    this.#parts = parts;
    this.#strangers = new ReadBudget(clock, { each, all: ofStrangers });
    this.#sessions = new ReadBudget(clock, { each, all: ofSessions });
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      // The compressed forms are added later. Their size is about a third of the uncompressed form.
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
   * Returns the page `name` from the cache, if it was read in the last `seconds`, or reads it. Concurrent requests
   * share one read. Throws 429 if the network or the person has too many reads, and 503 if there are too many in total.
   */
  async page(
    name: string,
    context: RequestContext,
    make: () => Promise<PublicPage>,
    seconds = freshSeconds,
  ): Promise<PublicPage> {
    this.#forgetTakenDown();
    const page = this.#pages.get(name) ?? this.#reading.get(name);
    if (page !== undefined) return page;
    context.account ??= await this.#parts.findAccount(context);
    return this.#reading.get(name) ?? this.#read(name, context, make, seconds);
  }

  #forgetTakenDown(): void {
    const { takedowns } = this.#parts.catalogue;
    if (takedowns === this.#takedownsVersion) return;
    this.#takedownsVersion = takedowns;
    this.#pages.clear();
    this.#reading.clear();
  }

  async #read(
    name: string,
    context: RequestContext,
    make: () => Promise<PublicPage>,
    seconds: number,
  ): Promise<PublicPage> {
    const { account, clientAddress } = context;
    const exhausted =
      account === null
        ? this.#strangers.take([{ name: clientNetwork(clientAddress), times: 1 }, ...widerNetworks(clientAddress)])
        : this.#sessions.take([{ name: `${account.personId}`, times: 1 }]);
    if (exhausted === "each") throw tooManyReads(account === null ? "network" : "account");
    if (exhausted === "all") throw tooBusy();
    const reading = this.#parts.concurrency.run(account === null ? "page" : "read", make, context.receivedMs);
    this.#reading.set(name, reading);
    try {
      const page = await reading;
      page.representation.detach();
      this.#forgetTakenDown();
      // A read that began before a takedown is not cached.
      if (this.#reading.get(name) === reading) this.#pages.set(name, page, { ttl: seconds * 1_000 });
      return page;
    } finally {
      if (this.#reading.get(name) === reading) this.#reading.delete(name);
    }
  }
}

const tooManyReads = (who: string): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many pages",
    `Your ${who} opened too many pages at once; try again in 2 seconds, or use an API key.`,
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
