import { withMissing } from "./arguments.ts";
import type { Query } from "./call-options.ts";
import { BeatMarketError } from "./errors.ts";
import type { Pagination } from "./generated/models.ts";
import type { Operation } from "./generated/operations.ts";
import { isObject, unexpected } from "./reading.ts";
import { type ResponseInfo, traced } from "./response.ts";
import type { Given, Sender } from "./sender.ts";

/** A list's request. */
interface Listing {
  sender: Sender;
  operation: Operation;
  options: Given["options"];
}

/** A page of a list. */
interface Place {
  url: URL;
  /** The number of items that this page and later pages may have, by `maxItems`. */
  left: number;
  before: Place | undefined;
}

/** One page of a list: `for` iterates over its items, `for await` also over the items of all later pages. */
export class Page<T> implements Iterable<T>, AsyncIterable<T> {
  data!: T[];
  pagination!: Pagination;
  /** Number of items in all pages. */
  total!: number;
  response!: ResponseInfo;
  readonly #listing: Listing;
  readonly #place: Place;

  /** @internal Reads a response. Everything except the items is passed through unchanged. */
  constructor(listing: Listing, place: Place, body: Record<string, unknown>, response: ResponseInfo) {
    const { keys } = listing.operation;
    const [key = "", ...others] = keys;
    const { [key]: first, ...rest } = body;
    const data = (first as T[]).slice(0, place.left);
    const named: Record<string, T[]> = others.length === 0 ? {} : { [key]: [...data] };
    for (const other of others) {
      named[other] = (body[other] as T[]).slice(0, place.left - data.length);
      data.push(...named[other]);
    }
    const { pagination } = body;
    if (!isObject(pagination)) throw unexpected(response, "The response has an unknown form: it has no pagination.");
    Object.assign(this, { data, ...rest, ...named, total: pagination.total, response });
    this.#listing = listing;
    this.#place = place;
  }

  /** @internal */
  static async at<P>(listing: Listing, place: Place): Promise<P> {
    const { sender, operation, options } = listing;
    const { body, response } = await sender.send({ method: operation.method, url: place.url, operation, options });
    return new Page(listing, place, body as Record<string, unknown>, response) as P;
  }

  /** Whether there is another page, within `maxItems`. */
  get hasNextPage(): boolean {
    return (this.pagination.next_page_url ?? null) !== null && this.data.length < this.#place.left;
  }

  /** Requests the next page, with the same filters. Null after the last page. */
  nextPage(): Promise<this | null> {
    return traced(async () => {
      if (!this.hasNextPage) return null;
      const { sender, options } = this.#listing;
      const url = withMissing(sender.followingUrl(this.pagination.next_page_url, this.response), options?.query);
      // A page that was requested before would repeat the list without end.
      for (let at: Place | undefined = this.#place; at !== undefined; at = at.before)
        if (at.url.href === url.href) return null;
      return Page.at<this>(this.#listing, { url, left: this.#place.left - this.data.length, before: this.#place });
    });
  }

  [Symbol.iterator](): Iterator<T> {
    return this.data[Symbol.iterator]();
  }

  /** Iterates as the list does, from this page on. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return itemsOf(pagesFrom(async () => this));
  }
}

/**
 * A lazy list: it sends no request before it is used. `await` returns its first page; `for await` iterates over the
 * items of all pages, with one request per page.
 */
export class List<T, P extends Page<T> = Page<T>> implements PromiseLike<P>, AsyncIterable<T> {
  readonly #listing: Listing;
  readonly #path: string;
  readonly #query: Query & { maxItems?: number };
  readonly #caller = new Error();
  #page: Promise<P> | undefined;

  /** @internal */
  constructor(sender: Sender, operation: Operation, { query, options }: Pick<Given, "query" | "options">) {
    this.#listing = { sender, operation, options };
    this.#path = operation.path;
    this.#query = isObject(query ?? {}) ? { ...query } : (query as never);
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list returns its first page.
  then<A = P, B = never>(
    onPage?: ((page: P) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= traced(() => this.#first(), this.#caller);
    return this.#page.then(onPage, onError);
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
    return pagesFrom(async () => (this.#query.maxItems === 0 ? null : await this.#first()));
  }

  /** Iterates over the items. Continues after an error as `pages` does, and after a `break`. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return itemsOf(this.pages());
  }

  async #first(): Promise<P> {
    const { maxItems, ...query } = this.#query;
    const left = maxItems ?? Number.POSITIVE_INFINITY;
    if (!(Number.isInteger(left) || left === Number.POSITIVE_INFINITY) || left < 0)
      throw new BeatMarketError(`maxItems is ${maxItems}; it takes a whole number from 0.`);
    const { sender, options } = this.#listing;
    const url = sender.url(this.#path, isObject(this.#query) ? query : this.#query, options);
    return Page.at<P>(this.#listing, { url, left, before: undefined });
  }
}

/** Iterates over a page and all pages after it. */
function pagesFrom<P extends Page<unknown>>(first: () => Promise<P | null>): AsyncIterableIterator<P> {
  let page: P | null | undefined;
  return new Steps(async () => {
    if (page !== null) page = page === undefined ? await first() : await page.nextPage();
    return page ?? undefined;
  });
}

function itemsOf<T>(pages: AsyncIterator<Page<T>>): AsyncIterableIterator<T> {
  let items: Iterator<T> | undefined;
  const ready = () => items?.next();
  return new Steps<T>(async () => {
    for (;;) {
      const item = ready();
      if (item !== undefined && !item.done) return item.value;
      const { done, value } = await pages.next();
      if (done) return undefined;
      items = value[Symbol.iterator]();
    }
  }, ready);
}

/** Serializes concurrent `next()` calls. A step that resolves to undefined ends the iteration. */
class Steps<T> implements AsyncIterableIterator<T> {
  readonly #step: () => Promise<T | undefined>;
  readonly #ready: (() => IteratorResult<T> | undefined) | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `ready` returns an item that needs no step. */
  constructor(step: () => Promise<T | undefined>, ready?: () => IteratorResult<T> | undefined) {
    this.#step = step;
    this.#ready = ready;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const item = this.#waiting === 0 ? this.#ready?.() : undefined;
    if (item !== undefined && !item.done) return Promise.resolve(item);
    this.#waiting += 1;
    const result = traced(async (): Promise<IteratorResult<T, undefined>> => {
      await this.#last;
      const value = await this.#step();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    }).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
