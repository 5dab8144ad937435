import { BeatMarketError } from "./errors.ts";
import { List, type SearchPage, searchPage } from "./list.ts";
import type { Beat, Producer, SearchQuery } from "./models.ts";
import { Beats, Genres, Orders, Producers, Users } from "./resources.ts";
import type { ResponseInfo } from "./response.ts";
import { type CallOptions, type Query, Sender } from "./sender.ts";
import { type Options, settingsOf } from "./settings.ts";
import * as webhooks from "./webhooks.ts";

/** For a raw request, beside what every call takes. */
export interface RequestOptions extends CallOptions {
  /** Null and undefined are left out. */
  query?: Query | undefined;
  /** Sent as JSON unless undefined. */
  body?: unknown;
  /** Over the client's own: `Accept` for the console form, `Idempotency-Key`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer as it came, with its body parsed: the envelope and all. */
export interface RawAnswer extends ResponseInfo {
  // biome-ignore lint/suspicious/noExplicitAny: what it is depends on the path, which this does not know.
  body: any;
}

/** A client of the Beat Marketplace API. One is enough for a program; it keeps connections open between calls. */
export class BeatMarket {
  readonly beats: Beats;
  readonly users: Users;
  readonly producers: Producers;
  readonly genres: Genres;
  readonly orders: Orders;
  /** Verifies webhook requests; also exported by itself, for receivers that have no key. */
  readonly webhooks: Pick<typeof webhooks, "verify" | "unwrap"> = webhooks;
  readonly #sender: Sender;

  /** Throws a BeatMarketError without an API key, for settings that cannot be, and in a browser. */
  constructor(options: Options = {}) {
    this.#sender = new Sender(settingsOf(options));
    this.beats = new Beats(this.#sender);
    this.users = new Users(this.#sender);
    this.producers = new Producers(this.#sender);
    this.genres = new Genres(this.#sender);
    this.orders = new Orders(this.#sender);
  }

  /**
   * Searches beats and producers; typing errors are forgiven. Awaited, one page; looped over, all that was found, the
   * beats of each page before its producers.
   */
  search(
    q: string,
    { maxItems, ...query }: SearchQuery = {},
    options: CallOptions = {},
  ): List<Beat | Producer, SearchPage> {
    return new List(this.#sender, searchPage, { path: "/search", query: { q, ...query }, maxItems, options });
  }

  /**
   * Any request below the base address, with the key, retries and errors of every call. `path` begins with a slash and
   * is percent-encoded. Rejects with a BeatMarketError, and sends nothing, for what cannot be sent.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<RawAnswer> {
    const { query, body, headers, ...its } = options;
    // Dots would lead out of the base address once they are resolved.
    if (!/^\/[^?#\\]*$/.test(path) || path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part)))
      throw new BeatMarketError(`The path is "${path}"; it takes one such as /beats/1, and the query by itself.`);
    const verb = method.toUpperCase();
    if (!/^[A-Z]+$/.test(verb)) throw new BeatMarketError(`The method is "${method}"; it takes one such as GET.`);
    if (body !== undefined && (verb === "GET" || verb === "HEAD"))
      throw new BeatMarketError(`A ${verb} has no body: pass what it asks for as query.`);
    const answer = await this.#sender.send({
      method: verb,
      url: this.#sender.url(path, query),
      headers: headers && sendable(headers),
      body,
      options: its,
    });
    return { ...answer.response, body: answer.body };
  }
}

/** Headers with their names in lower case. Told by the transport, a bad one would look like a service out of reach. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw new BeatMarketError(
      "A header cannot be sent: its name takes letters, digits and hyphens, its value one line.",
    );
  }
}
