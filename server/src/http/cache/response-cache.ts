import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { compress, type Encoding } from "../negotiation/encodings.ts";
import type { Form } from "../negotiation/forms.ts";
import type { Route } from "../pipeline/route.ts";
import { Sightings } from "./doorkeeper.ts";

/** The finished bytes of an answer. */
export interface Answer {
  body: Buffer;
  etag: string;
  /** What the bytes are compressed with; absent for plain ones. */
  encoding?: Encoding;
}

/** An answer that is compressed once somebody asks for it so. */
export class PlainAnswer implements Answer {
  body: Buffer;
  readonly etag: string;
  readonly #compressed = new Map<Encoding, Answer | Promise<Answer>>();

  constructor(body: string) {
    this.body = Buffer.from(body);
    this.etag = etagOf(this.body);
  }

  /** To be kept: in no memory that is shared with others. */
  settle(): void {
    this.body = inOwnMemory(this.body);
  }

  /** Compressed once; a promise only the first time. */
  encoded(encoding: Encoding): Answer | Promise<Answer> {
    const known = this.#compressed.get(encoding);
    if (known !== undefined) return known;
    const compressing = compress(this.body, encoding).then((compressed) => {
      const body = inOwnMemory(compressed);
      // Other bytes, so another strong tag (RFC 9110 8.8.3.3).
      const answer = { body, etag: `${this.etag.slice(0, -1)}-${encoding}"`, encoding };
      this.#compressed.set(encoding, answer);
      return answer;
    });
    this.#compressed.set(encoding, compressing);
    compressing.catch(() => this.#compressed.delete(encoding));
    return compressing;
  }
}

/** An answer and what the gate must know before it is given to somebody else. */
export interface KeptAnswer {
  answer: PlainAnswer;
  route: Pick<Route, "operationId" | "permission">;
}

/** 1,100 pages, or 7,500 single beats: more would take the server past its 250 MB (2026-11-21-memory.md). */
const maxBytes = 12 * 1024 * 1024;
const maxKeyLength = 1000;

/** Not in the pool of small buffers, of which every one that is kept keeps 64 kB. */
function inOwnMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** A strong ETag: the same bytes, the same tag, on every instance. */
export const etagOf = (body: Buffer): string => `"${hash("sha1", body, "base64url")}"`;

/**
 * Keeps the bytes of catalogue answers until the catalogue changes. An answer counts for the version that was current
 * before its rows were read, so a write in between can only make it stale too early, never too late. Kept is what is asked
 * for a second time: whoever walks through the catalogue asks once, and drives out nothing that others come back for.
 */
export class AnswerCache {
  readonly #version: CatalogueVersion;
  readonly #asked = new Sightings();
  readonly #answers = new LRUCache<string, KeptAnswer & { version: number }>({
    maxSize: maxBytes,
    // Compressed forms come later; together they are about a third of the plain one.
    sizeCalculation: ({ answer }, key) => Math.ceil(answer.body.length * 1.35) + 2 * key.length + 300,
  });

  constructor(version: CatalogueVersion) {
    this.#version = version;
  }

  find(form: Form, url: string): KeptAnswer | null {
    const kept = this.#answers.get(form + url);
    return kept !== undefined && kept.version === this.#version.current ? kept : null;
  }

  /** `version` is the catalogue's when the answer's rows were about to be read. */
  keep(form: Form, url: string, version: number, { answer, route }: KeptAnswer): void {
    const key = form + url;
    if (key.length > maxKeyLength || version !== this.#version.current || !this.#asked.again(key)) return;
    answer.settle();
    this.#answers.set(key, { answer, route, version });
  }
}
