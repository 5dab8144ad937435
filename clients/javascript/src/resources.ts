import { member } from "./envelope.ts";
import { BeatMarketError } from "./errors.ts";
import { type BeatPage, beatPage, List, pageOf } from "./list.ts";
import type {
  Beat,
  BeatDetail,
  Genre,
  ListBeatsQuery,
  ListOrdersQuery,
  ListProducersQuery,
  ListSimilarBeatsQuery,
  NewOrder,
  Order,
  Producer,
  ProfileFields,
  SimilarBeat,
  User,
} from "./models.ts";
import { APIPromise } from "./response.ts";
import type { CallOptions, Query, Sender } from "./sender.ts";

/** A query in which this parameter is given. */
type Given<Name extends keyof ListBeatsQuery> = { [Its in Name]-?: NonNullable<ListBeatsQuery[Its]> };

/** Beats by their ids. */
export interface BeatBatch {
  beats: BeatDetail[];
  /** Ids that nobody has. */
  missing: number[];
}

/** The beats on sale. */
export class Beats {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /**
   * Lists beats: `await` returns one page, `for await` iterates over all, with the same filters. With `ids`, these beats in
   * that order and in the form of `get`; with `fields`, those fields alone.
   */
  list(
    query: ListBeatsQuery & Given<"fields">,
    options?: CallOptions,
  ): List<Partial<BeatDetail>, BeatPage<Partial<BeatDetail>>>;
  list(query: ListBeatsQuery & Given<"ids">, options?: CallOptions): List<BeatDetail, BeatPage<BeatDetail>>;
  list(query?: ListBeatsQuery, options?: CallOptions): List<Beat, BeatPage>;
  list({ maxItems, ...query }: ListBeatsQuery = {}, options: CallOptions = {}): List<unknown, BeatPage<unknown>> {
    return new List(this.#sender, beatPage(), { path: "/beats", query, maxItems, options });
  }

  /**
   * Gets beats by their ids, in that order and in the form of `get`, with a request for every 100. `missing` has the ids that
   * nobody has.
   */
  async getMany(beatIds: readonly number[], options: CallOptions = {}): Promise<BeatBatch> {
    const batch: BeatBatch = { beats: [], missing: [] };
    for (let at = 0; at < beatIds.length; at += 100) {
      const { data, missing = [] } = await this.list({ ids: beatIds.slice(at, at + 100) }, options);
      batch.beats.push(...data);
      batch.missing.push(...missing);
    }
    return batch;
  }

  /** Gets a beat with its description, tags and licenses. Rejects with a NotFoundError if it does not exist. */
  get(beatId: number | string, options: CallOptions = {}): APIPromise<BeatDetail> {
    return one(this.#sender, { path: `/beats/${segment("beat", beatId)}` }, "beat", options);
  }

  /** Lists the beats most similar to this one, best first, at most `limit` (1 to 20, default 5). */
  similar(
    beatId: number | string,
    query: ListSimilarBeatsQuery = {},
    options: CallOptions = {},
  ): APIPromise<SimilarBeat[]> {
    return array(this.#sender, `/beats/${segment("beat", beatId)}/similar`, "beats", { ...query }, options);
  }
}

/** Public profiles. */
export class Users {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Gets the profile of a user. Rejects with a NotFoundError if it does not exist. */
  get(userId: number | string, options: CallOptions = {}): APIPromise<User> {
    return one(this.#sender, { path: `/users/${segment("user", userId)}` }, "user", options);
  }

  /** Updates the profile of the key's account and returns it. An absent field is unchanged, null clears it. */
  updateProfile(fields: ProfileFields, options: CallOptions = {}): APIPromise<User> {
    return one(this.#sender, { method: "PUT", path: "/users/profile", body: fields }, "user", options);
  }
}

/** Users who sell beats. */
export class Producers {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Lists producers: `await` returns one page, `for await` iterates over all. */
  list(query: ListProducersQuery = {}, options: CallOptions = {}): List<Producer> {
    return list(this.#sender, "/producers", "producers", query, options);
  }
}

/** The genres of the catalogue. */
export class Genres {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Lists all genres. */
  list(options: CallOptions = {}): APIPromise<Genre[]> {
    return array(this.#sender, "/genres", "genres", {}, options);
  }
}

/** The purchases of the key's account. */
export class Orders {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Lists orders, newest first: `await` returns one page, `for await` iterates over all. */
  list(query: ListOrdersQuery = {}, options: CallOptions = {}): List<Order> {
    return list(this.#sender, "/orders", "orders", query, options);
  }

  /** Gets an order. Rejects with a NotFoundError if the account has none with this id. */
  get(orderId: number | string, options: CallOptions = {}): APIPromise<Order> {
    return one(this.#sender, { path: `/orders/${segment("order", orderId)}` }, "order", options);
  }

  /**
   * Buys a license. A declined payment returns an order with the status `failed` and its `failure_reason`. The
   * `idempotencyKey` (1 to 255 visible ASCII characters, random by default) makes retries safe: the order is placed once.
   * Store a key of your own to retry safely across restarts.
   */
  create(order: NewOrder, options: CallOptions & { idempotencyKey?: string | undefined } = {}): APIPromise<Order> {
    const { idempotencyKey, ...its } = options;
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
      throw new BeatMarketError("The idempotencyKey takes 1 to 255 visible ASCII characters.");
    const headers = idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey };
    return one(this.#sender, { method: "POST", path: "/orders", body: order, headers }, "order", its);
  }
}

interface Sent {
  method?: string;
  path: string;
  body?: object;
  headers?: Record<string, string> | undefined;
}

/** A resource that a response has under this name. */
export function one<T>(sender: Sender, sent: Sent, name: string, options: CallOptions): APIPromise<T> {
  const { method = "GET", path, body, headers } = sent;
  const sending = sender.send({ method, url: sender.url(path), body, headers, options });
  return new APIPromise(
    sending.then((parsed) => ({ data: member<T>(parsed, name, "object"), response: parsed.response })),
  );
}

function array<T>(sender: Sender, path: string, name: string, query: Query, options: CallOptions): APIPromise<T[]> {
  const sending = sender.send({ method: "GET", url: sender.url(path, query), options });
  return new APIPromise(
    sending.then((parsed) => ({ data: member<T[]>(parsed, name, "array"), response: parsed.response })),
  );
}

function list<T>(
  sender: Sender,
  path: string,
  name: string,
  { maxItems, ...query }: Query & { maxItems?: number | undefined },
  options: CallOptions,
): List<T> {
  return new List<T>(sender, pageOf<T>(name), { path, query, maxItems, options });
}

/** An identifier as a path segment. Throws a BeatMarketError if it would change the path. */
export function segment(what: string, id: number | string): string {
  const text = typeof id === "number" || typeof id === "string" ? String(id) : "";
  // URL parsing resolves dot segments, encoded or not.
  if (/^\.{0,2}$/.test(text))
    throw new BeatMarketError(`The ${what} id is ${text === "" ? "missing" : `"${text}"`}; it takes a number.`);
  return encodeURIComponent(text.toWellFormed());
}
