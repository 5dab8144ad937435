import { LRUCache } from "lru-cache";
import type { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import type { Form } from "../negotiation/forms.ts";
import type { Representation } from "../negotiation/representation.ts";
import { Doorkeeper } from "./doorkeeper.ts";

interface Entry {
  representation: Representation;
  version: number;
}

/** 1,100 pages, or 7,500 single beats: more would take the server past its 250 MB (docs/decisions/memory.md). */
const maxBytes = 12 * 1024 * 1024;
const maxKeyLength = 1000;

/**
 * Caches catalogue responses until the catalogue changes. An entry is valid for the version that was current before its
 * rows were read, so a concurrent write can invalidate it too early and never too late. The doorkeeper admits a response
 * on its second request: a crawler asks once, and evicts nothing that others ask for again.
 */
export class ResponseCache {
  readonly #version: CatalogueVersion;
  readonly #doorkeeper = new Doorkeeper();
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // Compressed forms come later; together they are about a third of the plain one.
    sizeCalculation: ({ representation }, key) => Math.ceil(representation.body.length * 1.35) + 2 * key.length + 300,
  });

  /** Of `find`, since start. */
  hits = 0;
  misses = 0;

  constructor(version: CatalogueVersion) {
    this.#version = version;
  }

  get entries(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  find(form: Form, url: string): Representation | null {
    const entry = this.#entries.get(form + url);
    const isCurrent = entry !== undefined && entry.version === this.#version.current;
    if (!isCurrent) {
      this.misses++;
      return null;
    }
    this.hits++;
    return entry.representation;
  }

  /** `version` is the catalogue's from before the rows were read. */
  add(form: Form, url: string, version: number, representation: Representation): void {
    const key = form + url;
    if (key.length > maxKeyLength || version !== this.#version.current || !this.#doorkeeper.seenBefore(key)) return;
    representation.detach();
    this.#entries.set(key, { representation, version });
  }
}
