import type { Readable } from "node:stream";
import type { Files, ListedFile } from "./files.ts";
import type { LinkOptions, ObjectRange } from "./storage.ts";
import { readAll } from "./whole.ts";

/** The file that identifies a place. The mount point of an unmounted disk, and a replaced bucket, do not have it. */
export interface Anchor {
  key: string;
  /** Whether this content belongs to the expected place. */
  isOurs(content: string): boolean;
}

/** Another place than the opened place is there: the disk is not mounted, or the bucket was replaced. */
export class WrongPlace extends Error {
  override readonly name = "WrongPlace";
  /** Describes the fault and the remedy, as a clause. */
  readonly fault: string;

  constructor(place: string, fault: string) {
    super(`${place} cannot be used: ${fault}.`);
    this.fault = fault;
  }
}

/** The result of a check is used for this long, since each check of a bucket is a request. */
const bucketCheckMs = 1_000;

/**
 * Files of exactly the place that was opened, even if another place takes the same name. Checks the anchor before and
 * after each put, delete and list, before `deleteDrafts` and `check`, and whenever a file is missing. Throws WrongPlace
 * if the anchor is missing or differs. `version` and `link` check nothing.
 */
export class AnchoredFiles implements Files {
  readonly #files: Files;
  readonly #anchor: Anchor;
  readonly #checkValidMs: number;
  #checkedMs = Number.NEGATIVE_INFINITY;
  /** The anchor's version when its content was last read. */
  #version: string | null = null;

  constructor(files: Files, anchor: Anchor) {
    this.#files = files;
    this.#anchor = anchor;
    this.#checkValidMs = files.isBucket ? bucketCheckMs : 0;
  }

  get place(): string {
    return this.#files.place;
  }

  get isBucket(): boolean {
    return this.#files.isBucket;
  }

  /** Throws WrongPlace if the opened place was replaced by another place. */
  async requirePlace(): Promise<void> {
    if (performance.now() - this.#checkedMs < this.#checkValidMs) return;
    const version = await this.#files.version(this.#anchor.key);
    // Reads the anchor even if its version is null: an S3 server names a missing bucket only in the response to a GET.
    if (version === null || version !== this.#version) await this.#readAnchor();
    this.#version = version;
    this.#checkedMs = performance.now();
  }

  async #readAnchor(): Promise<void> {
    const anchor = await this.#files.get(this.#anchor.key);
    if (anchor === null) throw this.#wrongPlace("is missing");
    if (!this.#anchor.isOurs((await readAll(anchor)).toString())) throw this.#wrongPlace("is another one");
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    await this.requirePlace();
    // The disk may be unmounted during the write; the file is then in the mount point.
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
    // A folder whose disk is unmounted during the list looks empty.
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
    return error instanceof WrongPlace ? error.fault : this.#files.explain(error);
  }

  #wrongPlace(anchorFault: string): WrongPlace {
    const remedy = this.isBucket ? "put back the bucket that was there" : "mount the disk that it is on";
    return new WrongPlace(
      this.place,
      `it is not the place that was opened, as its file "${this.#anchor.key}" ${anchorFault}; ${remedy}`,
    );
  }
}
