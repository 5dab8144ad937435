import { member } from "./envelope.ts";
import { BeatMarketError } from "./errors.ts";
import { type BeatPage, beatPage, List, pageOf } from "./list.ts";
import type {
  Beat,
  BeatChanges,
  BeatDetail,
  Genre,
  ListBeatsQuery,
  ListOwnBeatsQuery,
  ListProducersQuery,
  ListSimilarBeatsQuery,
  NewBeat,
  Producer,
  ProfileFields,
  SimilarBeat,
  User,
} from "./models.ts";
import { APIPromise } from "./response.ts";
import type { CallOptions, Query, Sender } from "./sender.ts";

/** Options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. Store one of your own to repeat a call safely across restarts. Default: random. */
  idempotencyKey?: string | undefined;
}

/** Options of a call that changes something. */
export interface EditOptions extends CallOptions {
  /** The `etag` of a response with the beat: only if it has not changed since. Null for whatever it is. */
  ifMatch?: string | null | undefined;
}

/** A query in which this parameter is given. */
type Given<Name extends keyof ListBeatsQuery> = { [Its in Name]-?: NonNullable<ListBeatsQuery[Its]> };

/** Beats by their ids. */
export interface BeatBatch {
  beats: BeatDetail[];
  /** Ids that nobody has. */
  missing: number[];
}

/** The beats on sale, and your own. */
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

  /**
   * Makes a beat of an upload: a draft, or with the status `published` one that is on sale once its files are processed.
   * Rejects with an InvalidRequestError that names the field, such as one that names no upload of yours.
   */
  create(fields: NewBeat, options: CreateOptions = {}): APIPromise<BeatDetail> {
    return one(this.#sender, { method: "POST", path: "/beats", body: fields, ...created(options) }, "beat", options);
  }

  /**
   * Changes one of your beats and returns it. An absent field is unchanged, null clears it. Rejects with a
   * PreconditionFailedError if it has changed since `ifMatch`, and with an InvalidRequestError (409) for a price or audio
   * while an exclusive license is sold or being bought.
   */
  update(beatId: number | string, changes: BeatChanges, options: EditOptions = {}): APIPromise<BeatDetail> {
    const path = `/beats/${segment("beat", beatId)}`;
    return one(this.#sender, { method: "PATCH", path, body: changes, ...edited(options) }, "beat", options);
  }

  /**
   * Takes one of your beats off sale and returns it as it was left. A beat that was never on sale is deleted. Rejects with a
   * PreconditionFailedError if it has changed since `ifMatch`.
   */
  withdraw(beatId: number | string, options: EditOptions = {}): APIPromise<BeatDetail> {
    const path = `/beats/${segment("beat", beatId)}`;
    return one(this.#sender, { method: "DELETE", path, ...edited(options) }, "beat", options);
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

  /** Lists your own beats in every state, newest first: `await` returns one page, `for await` iterates over all. */
  myBeats(query: ListOwnBeatsQuery = {}, options: CallOptions = {}): List<BeatDetail> {
    return list(this.#sender, "/users/me/beats", "beats", query, options);
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

/** The headers of a call that creates something. */
export function created({ idempotencyKey }: CreateOptions): Pick<Sent, "headers"> {
  if (idempotencyKey === undefined) return {};
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new BeatMarketError("The idempotencyKey takes 1 to 255 visible ASCII characters.");
  return { headers: { "idempotency-key": idempotencyKey } };
}

function edited({ ifMatch }: EditOptions): Pick<Sent, "headers"> {
  if (ifMatch === undefined || ifMatch === null) return {};
  if (!/^[\x21-\x7e]+$/.test(ifMatch))
    throw new BeatMarketError('The ifMatch takes the etag of a response, such as "v7-0a1b2c".');
  return { headers: { "if-match": ifMatch } };
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

/** A list with pages, of which a response has this name. */
export function list<T>(
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
    throw new BeatMarketError(`The ${what} id is ${text === "" ? "missing" : `"${text}"`}; it takes the id of one.`);
  return encodeURIComponent(text.toWellFormed());
}
