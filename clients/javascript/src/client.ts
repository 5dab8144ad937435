import { Changes } from "./changes.ts";
import { BeatMarketError } from "./errors.ts";
import { Events } from "./events.ts";
import { Exports } from "./exports.ts";
import { List, type SearchPage, searchPage } from "./list.ts";
import type { Beat, Producer, SearchQuery } from "./models.ts";
import { Orders } from "./orders.ts";
import { Beats, Genres, Producers, Users } from "./resources.ts";
import type { ResponseInfo } from "./response.ts";
import { Sales } from "./sales.ts";
import { type CallOptions, type Query, Sender } from "./sender.ts";
import { type Options, settingsOf } from "./settings.ts";
import { Uploads } from "./uploads.ts";
import * as webhooks from "./webhooks.ts";

/** Options of a raw request, beside those of every call. */
export interface RequestOptions extends CallOptions {
  /** Null and undefined values are omitted. */
  query?: Query | undefined;
  /** Sent as JSON unless undefined. */
  body?: unknown;
  /** Override the client's headers, such as `Accept` for the console form or `Idempotency-Key`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** A raw response with its parsed body, envelope included. */
export interface RawAnswer extends ResponseInfo {
  // biome-ignore lint/suspicious/noExplicitAny: its type depends on the path.
  body: any;
}

/** A client of the Beat Marketplace API. It keeps connections open, so one instance serves a whole program. */
export class BeatMarket {
  readonly beats: Beats;
  readonly users: Users;
  readonly producers: Producers;
  readonly genres: Genres;
  readonly orders: Orders;
  readonly sales: Sales;
  readonly uploads: Uploads;
  readonly changes: Changes;
  readonly exports: Exports;
  readonly events: Events;
  /** Verifies webhook requests. Also exported separately, for receivers without an API key. */
  readonly webhooks: Pick<typeof webhooks, "verify" | "unwrap"> = webhooks;
  readonly #sender: Sender;

  /** Throws a BeatMarketError for a missing API key, for invalid options, and in a browser. */
  constructor(options: Options = {}) {
    this.#sender = new Sender(settingsOf(options));
    this.beats = new Beats(this.#sender);
    this.users = new Users(this.#sender);
    this.producers = new Producers(this.#sender);
    this.genres = new Genres(this.#sender);
    this.orders = new Orders(this.#sender);
    this.sales = new Sales(this.#sender);
    this.uploads = new Uploads(this.#sender);
    this.changes = new Changes(this.#sender);
    this.exports = new Exports(this.#sender);
    this.events = new Events(this.#sender);
  }

  /**
   * Searches beats and producers; tolerates typing errors. `await` returns one page. `for await` iterates over all
   * results, the beats of each page before its producers.
   */
  search(
    q: string,
    { maxItems, ...query }: SearchQuery = {},
    options: CallOptions = {},
  ): List<Beat | Producer, SearchPage> {
    return new List(this.#sender, searchPage, { path: "/search", query: { q, ...query }, maxItems, options });
  }

  /**
   * Sends any request below the base URL, with the same key, retries and errors as other calls. `path` begins with a
   * slash and is percent-encoded. Rejects with a BeatMarketError, without sending anything, if the request is invalid.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<RawAnswer> {
    const { query, body, headers, ...its } = options;
    // Dot segments would leave the base URL when resolved.
    if (!/^\/[^?#\\]*$/.test(path) || path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part)))
      throw new BeatMarketError(`The path is "${path}"; it takes one such as /beats/1, and the query by itself.`);
    const verb = method.toUpperCase();
    if (!/^[A-Z]+$/.test(verb)) throw new BeatMarketError(`The method is "${method}"; it takes one such as GET.`);
    if (body !== undefined && (verb === "GET" || verb === "HEAD"))
      throw new BeatMarketError(`A ${verb} has no body: pass what it asks for as query.`);
    const parsed = await this.#sender.send({
      method: verb,
      url: this.#sender.url(path, query),
      headers: headers && sendable(headers),
      body,
      options: its,
    });
    return { ...parsed.response, body: parsed.body };
  }
}

/** Headers with lower-case names. Rejects invalid ones here: from the transport they would look like a network error. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw new BeatMarketError(
      "A header cannot be sent: its name takes letters, digits and hyphens, its value one line.",
    );
  }
}
