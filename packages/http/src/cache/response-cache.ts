import { LRUCache } from "lru-cache";
import type { Representation } from "../negotiation/representation.ts";

/** A number that changes with the shared content. */
export interface ContentVersion {
  readonly current: number;
  /** Changes the number. Call it after this process has written shared content. */
  bumpAll(): void;
}

interface Entry {
  representation: Representation;
  version: number;
}

/** docs/decisions/memory.md explains this limit. */
const maxBytes = 12 * 1024 * 1024;
const maxKeyLength = 1000;

/**
 * Caches responses until the shared content changes. An entry is valid for the version that was current before its rows
 * were read, so a concurrent write can invalidate it too early, but never too late. The doorkeeper admits a response on
 * its second request: a crawler requests each URL once, and so evicts nothing that others request again.
 */
export class ResponseCache {
  readonly #version: Pick<ContentVersion, "current">;
  readonly #doorkeeper = new Doorkeeper();
  readonly #entries: LRUCache<string, Entry>;

  /** Hits and misses of `find`, since start. */
  hits = 0;
  misses = 0;

  /** `threads`: the number of threads with a cache. Each thread gets an equal share of the limit. */
  constructor(version: Pick<ContentVersion, "current">, threads = 1) {
    this.#version = version;
    this.#entries = new LRUCache({
      maxSize: Math.floor(maxBytes / threads),
      // Compressed forms are added later; together they take about a third of the plain body.
      sizeCalculation: ({ representation }, key) => Math.ceil(representation.body.length * 1.35) + 2 * key.length + 300,
    });
  }

  get entries(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** `variant`: the wire form, and the API version if this version gives the response an older shape. */
  find(variant: string, url: string): Representation | null {
    const entry = this.#entries.get(variant + url);
    const isCurrent = entry !== undefined && entry.version === this.#version.current;
    if (!isCurrent) {
      this.misses++;
      return null;
    }
    this.hits++;
    return entry.representation;
  }

  /** `version` is the content's version before the rows were read. */
  add(variant: string, url: string, version: number, representation: Representation): void {
    const key = variant + url;
    if (key.length > maxKeyLength || version !== this.#version.current || !this.#doorkeeper.seenBefore(key)) return;
    representation.detach();
    this.#entries.set(key, { representation, version });
  }
}

const slots = 1 << 16;

/**
 * The doorkeeper of a cache (as in TinyLFU): remembers roughly the last 65,536 distinct keys in 256 kB. It may forget a
 * key. At most about one unseen key in 65,536 is mistaken for a seen one.
 */
export class Doorkeeper {
  readonly #hashes = new Uint32Array(slots);

  /** Returns whether the key was seen recently, and marks it as seen. */
  seenBefore(key: string): boolean {
    // FNV-1a.
    let hash = 0x811c9dc5;
    for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
    hash >>>= 0;
    const slot = (hash ^ (hash >>> 16)) & (slots - 1);
    const isRepeated = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return isRepeated;
  }
}
