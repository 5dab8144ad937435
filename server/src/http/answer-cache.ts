import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { CatalogueVersion } from "../database/catalogue-version.ts";
import type { Form } from "./forms.ts";

/** The finished bytes of an answer. */
export interface Answer {
  body: Buffer;
  etag: string;
}

const maxBytes = 64 * 1024 * 1024;
const maxKeyLength = 1000;

/** A strong ETag: the same bytes, the same tag, on every instance. */
export const etagOf = (body: Buffer): string => `"${createHash("sha1").update(body).digest("base64url")}"`;

/**
 * Keeps the bytes of catalogue answers until the catalogue changes. An answer counts for the version that was current
 * before its rows were read, so a write in between can only make it stale too early, never too late.
 */
export class AnswerCache {
  readonly #version: CatalogueVersion;
  readonly #answers = new LRUCache<string, Answer & { version: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.length + 2 * key.length + 200,
  });

  constructor(version: CatalogueVersion) {
    this.#version = version;
  }

  find(form: Form, url: string): Answer | null {
    const kept = this.#answers.get(form + url);
    return kept !== undefined && kept.version === this.#version.current ? kept : null;
  }

  /** `version` is the catalogue's when the answer's rows were about to be read. */
  keep(form: Form, url: string, version: number, answer: Answer): void {
    if (url.length <= maxKeyLength && version === this.#version.current)
      this.#answers.set(form + url, { ...answer, version });
  }
}
