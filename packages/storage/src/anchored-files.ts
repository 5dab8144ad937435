import type { Readable } from "node:stream";
import type { Files, ListedFile } from "./files.ts";
import type { LinkOptions, ObjectRange } from "./storage.ts";
import { whole } from "./whole.ts";

/** The file by which a place is recognized: an unmounted disk, or a bucket that was replaced, does not have it. */
export interface Anchor {
  key: string;
  /** Whether this is its content. */
  isOurs(content: string): boolean;
}

/** Another place than the one that was opened stands under its name: its disk is not mounted, or it was replaced. */
export class PlaceAway extends Error {
  override readonly name = "PlaceAway";
  /** What is wrong with the place, and what to do, as a clause. */
  readonly fault: string;

  constructor(place: string, fault: string) {
    super(`${place} cannot be used: ${fault}.`);
    this.fault = fault;
  }
}

/** A bucket is not replaced between two requests of one second, and each look at it is a request. */
const bucketFreshMs = 1_000;

/**
 * Files of one place, and of no other that comes to stand under its name: the anchor is read before and after each write, and
 * wherever something is missing. All methods throw PlaceAway without it.
 */
export class AnchoredFiles implements Files {
  readonly #files: Files;
  readonly #anchor: Anchor;
  readonly #freshMs: number;
  #seenMs = Number.NEGATIVE_INFINITY;
  /** Of the anchor when its content was read last. */
  #version: string | null = null;

  constructor(files: Files, anchor: Anchor) {
    this.#files = files;
    this.#anchor = anchor;
    this.#freshMs = files.isBucket ? bucketFreshMs : 0;
  }

  get place(): string {
    return this.#files.place;
  }

  get isBucket(): boolean {
    return this.#files.isBucket;
  }

  /** Throws PlaceAway unless the place is the one that was opened. */
  async requirePlace(): Promise<void> {
    if (performance.now() - this.#seenMs < this.#freshMs) return;
    const version = await this.#files.version(this.#anchor.key);
    // Also where it is missing: a server names a bucket that does not exist only in the response to a GET.
    if (version === null || version !== this.#version) await this.#readAnchor();
    this.#version = version;
    this.#seenMs = performance.now();
  }

  async #readAnchor(): Promise<void> {
    const found = await this.#files.get(this.#anchor.key);
    if (found === null) throw this.#away("is missing");
    if (!this.#anchor.isOurs((await whole(found)).toString())) throw this.#away("is another one");
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    await this.requirePlace();
    // The disk may go during the write, and what was written lies in its mount point then.
    await this.#files.put(key, content).finally(() => this.requirePlace());
  }

  async get(key: string, range?: ObjectRange): Promise<Readable | null> {
    const found = await this.#files.get(key, range);
    if (found === null) await this.requirePlace();
    return found;
  }

  async head(key: string): Promise<ListedFile | null> {
    const found = await this.#files.head(key);
    if (found === null) await this.requirePlace();
    return found;
  }

  version(key: string): Promise<string | null> {
    return this.#files.version(key);
  }

  async delete(key: string): Promise<void> {
    await this.requirePlace();
    await this.#files.delete(key);
    await this.requirePlace();
  }

  link(key: string, options: LinkOptions): Promise<string | null> {
    return this.#files.link(key, options);
  }

  async *list(prefix: string): AsyncIterable<ListedFile> {
    await this.requirePlace();
    yield* this.#files.list(prefix);
    // A folder that goes in between looks empty.
    await this.requirePlace();
  }

  async deleteDrafts(before: Date, isOurs: (key: string) => boolean): Promise<void> {
    await this.requirePlace();
    await this.#files.deleteDrafts(before, isOurs);
  }

  async check(): Promise<void> {
    await this.requirePlace();
    await this.#files.check();
  }

  explain(error: unknown): string {
    return error instanceof PlaceAway ? error.fault : this.#files.explain(error);
  }

  #away(how: string): PlaceAway {
    const remedy = this.isBucket ? "put back the bucket that was there" : "mount the disk that it is on";
    return new PlaceAway(
      this.place,
      `it is not the place that was opened, as its file "${this.#anchor.key}" ${how}; ${remedy}`,
    );
  }
}
