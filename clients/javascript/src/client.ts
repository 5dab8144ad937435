import type { CallOptions, Query } from "./call-options.ts";
import { BeatMarketError } from "./errors.ts";
import { Exports, Sales } from "./exports.ts";
import { Changes, Events } from "./feeds.ts";
import type { BeatDetail, ListBeatsQuery } from "./generated/models.ts";
import {
  Beats as BeatMethods,
  type BeatPage,
  Checkouts,
  ClientMethods,
  Favorites,
  Genres,
  Licenses,
  Playlists,
  Producers,
  Quotes,
  Requests,
  Sandboxes,
  Users,
} from "./generated/resources.ts";
import { type ExtraHeaders, sendable } from "./headers.ts";
import type { List } from "./list.ts";
import { Orders } from "./orders.ts";
import { type ResponseInfo, traced } from "./response.ts";
import { Sender } from "./sender.ts";
import { type Options, settingsOf } from "./settings.ts";
import { Uploads } from "./uploads.ts";
import * as webhooks from "./webhooks.ts";

/** Options of a raw request, in addition to those of every call. */
export interface RequestOptions extends Omit<CallOptions, "headers" | "query" | "body"> {
  /** Null and undefined values are omitted. */
  query?: Query | undefined;
  /** Sent as JSON unless undefined. */
  body?: unknown;
  /** Override the client's headers, such as `Accept` for the console form or `Idempotency-Key`. */
  headers?: ExtraHeaders | undefined;
}

/** A raw response with its parsed body, envelope included; null for a 204. */
export interface RawResponse extends ResponseInfo {
  // biome-ignore lint/suspicious/noExplicitAny: its type depends on the path.
  body: any;
}

/** A client of the Beat Marketplace API. It keeps connections open, so one instance serves a whole program. */
export class BeatMarket extends ClientMethods {
  readonly beats: Beats;
  readonly users: Users;
  readonly producers: Producers;
  readonly genres: Genres;
  readonly checkouts: Checkouts;
  readonly quotes: Quotes;
  readonly requests: Requests;
  readonly sandboxes: Sandboxes;
  readonly favorites: Favorites;
  readonly playlists: Playlists;
  readonly orders: Orders;
  readonly licenses: Licenses;
  readonly sales: Sales;
  readonly uploads: Uploads;
  readonly changes: Changes;
  readonly exports: Exports;
  readonly events: Events;
  /** Verifies webhook requests. Also exported separately, for receivers without an API key. */
  readonly webhooks: Pick<typeof webhooks, "verify" | "unwrap"> = webhooks;

  /** Throws a BeatMarketError for a missing API key, for invalid options, and in a browser. */
  constructor(options?: Options | null) {
    super(new Sender(settingsOf(options ?? {})));
    this.beats = new Beats(this.sender);
    this.users = new Users(this.sender);
    this.producers = new Producers(this.sender);
    this.genres = new Genres(this.sender);
    this.checkouts = new Checkouts(this.sender);
    this.quotes = new Quotes(this.sender);
    this.requests = new Requests(this.sender);
    this.sandboxes = new Sandboxes(this.sender);
    this.favorites = new Favorites(this.sender);
    this.playlists = new Playlists(this.sender);
    this.orders = new Orders(this.sender);
    this.licenses = new Licenses(this.sender);
    this.sales = new Sales(this.sender);
    this.uploads = new Uploads(this.sender);
    this.changes = new Changes(this.sender);
    this.exports = new Exports(this.sender);
    this.events = new Events(this.sender);
  }

  /**
   * Sends any request below the base URL, with the same key, retries and errors as other calls. `path` begins with a
   * slash and is percent-encoded. Rejects with a BeatMarketError, without sending anything, if the request is invalid.
   */
  async request(method: string, path: string, options?: RequestOptions | null): Promise<RawResponse> {
    return traced(async () => {
      const { query, body, headers, ...callOptions } = options ?? {};
      // Dot segments would leave the base URL when resolved.
      if (!/^\/[^?#\\]*$/.test(path) || path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part)))
        throw new BeatMarketError(`The path is "${path}"; it takes one such as /beats/1, and the query by itself.`);
      const verb = typeof method === "string" ? method.toUpperCase() : "";
      if (!/^[A-Z]+$/.test(verb)) throw new BeatMarketError(`The method is "${method}"; it takes one such as GET.`);
      if (body !== undefined && (verb === "GET" || verb === "HEAD"))
        throw new BeatMarketError(`A ${verb} has no body: pass what it asks for as query.`);
      const url = this.sender.url(path, query);
      const sent = { method: verb, url, headers: headers && sendable(headers), body, options: callOptions };
      const { response, body: received } = await this.sender.send(sent);
      const { status, requestId, etag, rateLimit } = response;
      return { status, headers: response.headers, requestId, etag, rateLimit, body: received };
    });
  }
}

/** A query in which this parameter is set. */
type Given<Name extends keyof ListBeatsQuery> = { [Its in Name]-?: NonNullable<ListBeatsQuery[Its]> };

class Beats extends BeatMethods {
  /**
   * Lists beats: `await` returns one page, `for await` iterates over all, with the same filters. With `ids`, returns
   * these beats in that order and in the form of `get`; with `fields`, returns only those fields.
   */
  override list(
    query: ListBeatsQuery & Given<"fields">,
    options?: CallOptions,
  ): List<Partial<BeatDetail>, BeatPage<Partial<BeatDetail>>>;
  override list(query: ListBeatsQuery & Given<"ids">, options?: CallOptions): List<BeatDetail, BeatPage<BeatDetail>>;
  override list(...parameters: Parameters<BeatMethods["list"]>): ReturnType<BeatMethods["list"]>;
  override list(query?: ListBeatsQuery, options?: CallOptions): never {
    return super.list(query, options) as never;
  }

  /**
   * Gets beats by their ids, in that order and in the form of `get`, with a request for every 100. One that is given
   * twice is returned once. `missing` has the ids that do not exist.
   */
  async getMany(
    beatIds: readonly number[],
    options?: CallOptions,
  ): Promise<{ beats: BeatDetail[]; missing: number[] }> {
    return traced(async () => {
      if (!Array.isArray(beatIds)) throw new BeatMarketError("The beatIds take an array of ids.");
      const batch = { beats: [] as BeatDetail[], missing: [] as number[] };
      const ids = [...new Set(beatIds)];
      for (let at = 0; at < ids.length; at += 100) {
        const { data, missing = [] } = await this.list({ ids: ids.slice(at, at + 100) }, options);
        batch.beats.push(...data);
        batch.missing.push(...missing);
      }
      return batch;
    });
  }
}
