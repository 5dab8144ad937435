import type { CallOptions, Query } from "./call-options.ts";
import { BeatMarketError } from "./errors.ts";
import { Resources } from "./generated/client.ts";
import { type ExtraHeaders, sendable } from "./headers.ts";
import { type ResponseInfo, traced } from "./response.ts";
import { Sender } from "./sender.ts";
import { type Options, settingsOf } from "./settings.ts";
import * as webhooks from "./webhooks.ts";

/** Options of a raw request, in addition to the options of every call. */
export interface RequestOptions extends Omit<CallOptions, "headers" | "query" | "body"> {
  /** Null and undefined values are omitted. */
  query?: Query | undefined;
  /** Sent as JSON unless undefined. */
  body?: unknown;
  /** Override the client's headers, such as `Accept` for the console form or `Idempotency-Key`. */
  headers?: ExtraHeaders | undefined;
}

/** A raw response with its parsed body, envelope included. The body is null for a 204 and for HEAD. */
export interface RawResponse extends ResponseInfo {
  // biome-ignore lint/suspicious/noExplicitAny: its type depends on the path.
  body: any;
}

/** A client of the Beat Marketplace API. It keeps connections open, so one instance serves a whole program. */
export class BeatMarket extends Resources {
  /** Verifies webhook requests. Also exported separately, for receivers without an API key. */
  readonly webhooks: Pick<typeof webhooks, "verify" | "unwrap"> = webhooks;

  /** Throws a BeatMarketError for a missing API key, for invalid options, and in a browser that is not allowed. */
  constructor(options?: Options | null) {
    super(new Sender(settingsOf(options ?? {})));
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
        throw new BeatMarketError(`The path is "${path}"; it takes a path such as /beats/1, and the query separately.`);
      const verb = typeof method === "string" ? method.toUpperCase() : "";
      if (!/^[A-Z]+$/.test(verb)) throw new BeatMarketError(`The method is "${method}"; it takes a name such as GET.`);
      if (body !== undefined && (verb === "GET" || verb === "HEAD"))
        throw new BeatMarketError(`A ${verb} has no body: pass the values as query.`);
      const url = this.sender.url(path, query);
      const sent = { method: verb, url, headers: headers && sendable(headers), body, options: callOptions };
      const { response, body: received } = await this.sender.send(sent);
      const { status, requestId, etag, rateLimit } = response;
      return { status, headers: response.headers, requestId, etag, rateLimit, body: received };
    });
  }
}
