import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { SigningKeys } from "../signing/keys.ts";
import { listTtlMs, statusListCredential } from "./list.ts";

/** The maximum number of cached lists. */
const maxKept = 16;

interface SignedList {
  at: number;
  list: Promise<string | null>;
}

/**
 * Status lists, signed with the key of certificates. Each list is made at most once a minute, for any number of
 * requests.
 */
export class SignedStatusLists {
  readonly #parts: { db: Queryable; clock: Clock; keys: SigningKeys; publicUrl: string };
  readonly #kept = new Map<number, SignedList>();

  constructor(parts: { db: Queryable; clock: Clock; keys: SigningKeys; publicUrl: string }) {
    this.#parts = parts;
  }

  /** As `application/vc+jwt`; null for a list without licenses. */
  async list(list: number): Promise<string | null> {
    const now = this.#parts.clock.nowMs();
    const cached = this.#kept.get(list);
    if (cached !== undefined && now - cached.at < listTtlMs) return cached.list;
    const entry = { at: now, list: this.#make(list, new Date(now)) };
    this.#kept.delete(list);
    this.#kept.set(list, entry);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    const forget = () => {
      if (this.#kept.get(list) === entry) this.#kept.delete(list);
    };
    // A list without licenses may get one soon, so it is not cached.
    entry.list.then((signed) => signed === null && forget(), forget);
    return entry.list;
  }

  async #make(list: number, now: Date): Promise<string | null> {
    const { db, keys, publicUrl } = this.#parts;
    const credential = await statusListCredential(db, list, { publicUrl, now });
    return credential && keys.sign(credential, now, "vc+jwt");
  }
}
