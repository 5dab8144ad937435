import type { Readable } from "node:stream";
import type { Files, ListedFile } from "./files.ts";
import type { LinkOptions, ObjectRange } from "./storage.ts";
import { whole } from "./whole.ts";

/** The file that identifies a place: an unmounted disk, or a bucket that was replaced, does not have it. */
export interface Anchor {
  key: string;
  /** Whether this content belongs to the expected place. */
  isOurs(content: string): boolean;
}

/** Another place than the one that was opened is found under its name: its disk is not mounted, or it was replaced. */
export class PlaceAway extends Error {
  override readonly name = "PlaceAway";
  /** Describes the fault and the remedy, as a clause. */
  readonly fault: string;

  constructor(place: string, fault: string) {
    super(`${place} cannot be used: ${fault}.`);
    this.fault = fault;
  }
}

/** A bucket is not replaced within a second, and each check of it is a request. */
const bucketFreshMs = 1_000;

/**
 * Files of exactly the place that was opened, even if another one takes its name: the anchor is read before and after
 * each write, and whenever a file is missing. Without the anchor all methods throw PlaceAway.
 */
export class AnchoredFiles implements Files {
  readonly #files: Files;
  readonly #anchor: Anchor;
  readonly #freshMs: number;
  #seenMs = Number.NEGATIVE_INFINITY;
  /** The anchor's version when its content was last read. */
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

  /** Throws PlaceAway unless the place is still the one that was opened. */
  async requirePlace(): Promise<void> {
    if (performance.now() - this.#seenMs < this.#freshMs) return;
    const version = await this.#files.version(this.#anchor.key);
    // Also if it is missing: a server reports a missing bucket only in the response to a GET.
    if (version === null || version !== this.#version) await this.#readAnchor();
    this.#version = version;
    this.#seenMs = performance.now();
  }

  async #readAnchor(): Promise<void> {
    const anchor = await this.#files.get(this.#anchor.key);
    if (anchor === null) throw this.#away("is missing");
    if (!this.#anchor.isOurs((await whole(anchor)).toString())) throw this.#away("is another one");
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    await this.requirePlace();
    // The disk may be unmounted during the write, which then ends up in the mount point.
    await this.#files.put(key, content).finally(() => this.requirePlace());
  }

  async get(key: string, range?: ObjectRange): Promise<Readable | null> {
    const content = await this.#files.get(key, range);
    if (content === null) await this.requirePlace();
    return content;
  }

  async head(key: string): Promise<ListedFile | null> {
    const head = await this.#files.head(key);
    if (head === null) await this.requirePlace();
    return head;
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
    // A folder that is unmounted in the meantime looks empty.
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
