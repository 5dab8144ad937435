import { APIConnectionError, APIStatusError, BeatMarket } from "beatmarket";
import { ApiError, noResponse } from "./client.ts";
import { fetchWatched } from "./connection.ts";

/**
 * The public API through our own client library, as any program calls it. `/site/v1` serves the catalogue's reads to
 * pages of this server without a key (docs/decisions/public-pages.md), so no key is stored or sent here.
 */
export const catalogueClient = (): BeatMarket => {
  library ??= new BeatMarket({
    apiKey: "none",
    baseUrl: `${location.origin}/site/v1`,
    fetch: (input, { headers, ...init } = {}) =>
      fetchWatched(String(input), { ...init, headers: withoutKey(new Headers(headers)) }),
    dangerouslyAllowBrowser: true,
  });
  return library;
};

let library: BeatMarket | undefined;

function withoutKey(headers: Headers): Headers {
  headers.delete("authorization");
  return headers;
}

/** Awaits a call of the library. Throws an error response or a lost connection as `ApiError`, which pages can show. */
export async function awaitCall<Result>(call: PromiseLike<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIStatusError)
      throw new ApiError(error.status, error.reason, error.details ?? error.message, error.requestId);
    if (error instanceof APIConnectionError) throw noResponse();
    throw error;
  }
}
