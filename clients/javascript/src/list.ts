import { member } from "./envelope.ts";
import { BeatMarketError } from "./errors.ts";
import type { Beat, Facets, Interpretation, Pagination, Producer, SearchTotals } from "./models.ts";
import type { ResponseInfo } from "./response.ts";
import type { CallOptions, ParsedResponse, Query, Sender } from "./sender.ts";

/** One page of a list. */
export interface Page<T> {
  data: T[];
  pagination: Pagination;
  /** Number of items in all pages. */
  total: number;
  response: ResponseInfo;
}

/** One page of beats. */
export interface BeatPage<T = Beat> extends Page<T> {
  /** With `facets`: how many of all beats have each value. */
  facets?: Facets;
  /** With `ids`: those that nobody has. */
  missing?: number[];
}

/** One page of a search. */
export interface SearchPage {
  beats: Beat[];
  producers: Producer[];
  pagination: Pagination;
  /** Number of results in all pages. */
  total: number;
  /** The same by type. */
  totals: SearchTotals;
  /** What was understood of the query, unless `interpret` was false. */
  interpreted?: Interpretation;
  /** With `facets`: how many of all beats have each value. */
  facets?: Facets;
  response: ResponseInfo;
}

/** How to read the items of a page, and what `await` on the list returns. */
export interface PageShape<T, P> {
  items(page: P): T[];
  /** `atMost` caps the items. */
  read(parsed: ParsedResponse, atMost: number): P;
}

/** The shape of a list whose items are one member of the response. */
export const pageOf = <T>(name: string): PageShape<T, Page<T>> => ({
  items: ({ data }) => data,
  read: (parsed, atMost) => ({ data: member<T[]>(parsed, name, "array").slice(0, atMost), ...pagesOf(parsed) }),
});

/** The shape of a list of beats. */
export const beatPage = <T>(): PageShape<T, BeatPage<T>> => ({
  items: ({ data }) => data,
  read: (parsed, atMost) => ({ ...pageOf<T>("beats").read(parsed, atMost), ...given(parsed, ["facets", "missing"]) }),
});

/** Beats come before producers. */
export const searchPage: PageShape<Beat | Producer, SearchPage> = {
  items: ({ beats, producers }) => [...beats, ...producers],
  read: (parsed, atMost) => {
    const beats = member<Beat[]>(parsed, "beats", "array").slice(0, atMost);
    const producers = member<Producer[]>(parsed, "producers", "array").slice(0, atMost - beats.length);
    const totals = member<SearchTotals>(parsed, "totals", "object");
    return { beats, producers, ...pagesOf(parsed), totals, ...given(parsed, ["interpreted", "facets"]) };
  },
};

function pagesOf(parsed: ParsedResponse): { pagination: Pagination; total: number; response: ResponseInfo } {
  const pagination = member<Pagination>(parsed, "pagination", "object");
  return { pagination, total: pagination.total, response: parsed.response };
}

/** The members of the response that are there, of those with these names. */
function given({ body }: ParsedResponse, names: string[]): object {
  const { data } = body as { data: Record<string, unknown> };
  return Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]));
}

interface Reading {
  path: string;
  query: Query;
  maxItems: number | undefined;
  options: CallOptions;
}

/**
 * A lazy list: nothing is requested before it is used. `await` returns its first page; `for await` iterates over the
 * items of all pages, with one request per page.
 */
export class List<T, P extends { pagination: Pagination; response: ResponseInfo } = Page<T>>
  implements PromiseLike<P>, AsyncIterable<T>
{
  readonly #sender: Sender;
  readonly #shape: PageShape<T, P>;
  readonly #reading: Reading;
  readonly #maxItems: number;
  #first: Promise<P> | undefined;

  constructor(sender: Sender, shape: PageShape<T, P>, reading: Reading) {
    const { maxItems = Number.POSITIVE_INFINITY } = reading;
    if (!(Number.isInteger(maxItems) || maxItems === Number.POSITIVE_INFINITY) || maxItems < 0)
      throw new BeatMarketError(`maxItems is ${maxItems}; it takes a whole number from 0.`);
    this.#sender = sender;
    this.#shape = shape;
    this.#reading = reading;
    this.#maxItems = maxItems;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page.
  then<A = P, B = never>(
    onPage?: ((page: P) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#page(this.#firstUrl(), this.#maxItems);
    return this.#first.then(onPage, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<P> {
    return this.then().finally(onEnd);
  }

  /**
   * Iterates over the pages. After an error, calling `next()` on the same iterator requests the failed page again, so
   * no item is lost or repeated.
   */
  pages(): AsyncIterableIterator<P> {
    const visited = new Set<string>();
    let left = this.#maxItems;
    let locate = (): URL | undefined => this.#firstUrl();
    return new Steps(async () => {
      const url = left > 0 ? locate() : undefined;
      if (url === undefined || visited.has(url.href)) return { done: true, value: undefined };
      const page = await this.#page(url, left);
      visited.add(url.href);
      left -= this.#shape.items(page).length;
      const { next_page_url: next } = page.pagination;
      const { response } = page;
      locate = () => (typeof next === "string" ? this.#sender.followingUrl(next, response) : undefined);
      return { done: false, value: page };
    });
  }

  /** Iterates over the items. Resumes after an error as `pages` does, and after a `break`. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    const pages = this.pages();
    let items: T[] = [];
    let at = 0;
    return new Steps(async () => {
      while (at >= items.length) {
        const { done, value } = await pages.next();
        if (done) return { done: true, value: undefined };
        items = this.#shape.items(value);
        at = 0;
      }
      at += 1;
      return { done: false, value: items[at - 1] as T };
    });
  }

  #firstUrl(): URL {
    return this.#sender.url(this.#reading.path, this.#reading.query);
  }

  async #page(url: URL, atMost: number): Promise<P> {
    const parsed = await this.#sender.send({ method: "GET", url, options: this.#reading.options });
    return this.#shape.read(parsed, atMost);
  }
}

/** Serializes concurrent `next()` calls. */
class Steps<T> implements AsyncIterableIterator<T> {
  readonly #step: () => Promise<IteratorResult<T, undefined>>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(step: () => Promise<IteratorResult<T, undefined>>) {
    this.#step = step;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const result = this.#last.then(this.#step);
    this.#last = result.catch(() => {});
    return result;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
