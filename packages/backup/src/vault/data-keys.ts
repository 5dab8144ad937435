import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Files } from "@beatmarket/storage/files.ts";
import { readAll } from "@beatmarket/storage/whole.ts";
import { BackupKey, DataKey } from "./backup-key.ts";

/** The operator's keys. During a rotation, `previous` opens the data keys that are sealed under it. */
export class OperatorKeys {
  readonly current: BackupKey;
  readonly previous: BackupKey | null;

  constructor(current: string, previous: string | undefined) {
    this.current = new BackupKey(current);
    this.previous = previous === undefined ? null : new BackupKey(previous);
  }

  find(id: string): BackupKey | null {
    return [this.current, this.previous].find((key) => key?.id === id) ?? null;
  }
}

/** The file `keys/<id>` of a vault. */
interface StoredKey {
  made_at: string;
  /** The id of the operator's key that sealed it. */
  sealed_by: string;
  sealed: string;
  /** Whether the seal is bound to this vault and time (`contextOf`); absent in keys of earlier releases. */
  is_bound?: true;
}

/** Data keys are bound to a vault: they cannot be opened in another one. */
export interface Binding {
  /** The vault's id. */
  vault: string;
  /** Whether to open unbound keys, which a vault has until a release with binding claims it. */
  acceptsUnbound: boolean;
}

const prefix = "keys/";

/** The seal of a key includes this text, so that a key of another vault, or with another time, cannot be opened. */
const contextOf = ({ vault }: Binding, id: string, madeAt: string): string => JSON.stringify([vault, id, madeAt]);

/**
 * The data keys of a vault, sealed under the operator's key. When the operator's key changes, the data keys are sealed
 * again, and a new data key encrypts later files. Existing files are not rewritten.
 */
export class DataKeys {
  readonly #files: Files;
  readonly #keys: OperatorKeys;
  readonly #binding: Binding;
  readonly #dataKeys = new Map<string, DataKey & { madeAt: string }>();

  constructor(files: Files, keys: OperatorKeys, binding: Binding) {
    this.#files = files;
    this.#keys = keys;
    this.#binding = binding;
  }

  /** Returns the newest key, which encrypts new files. Creates a key if there is none. */
  async newest(): Promise<DataKey> {
    if (this.#dataKeys.size === 0) await this.#load();
    const newest = [...this.#dataKeys.values()].sort((a, b) => (a.madeAt < b.madeAt ? -1 : 1)).at(-1);
    return newest ?? (await this.create());
  }

  /** Returns the key of this id, which another process may have created; null if the key is missing or damaged. */
  async find(id: string): Promise<DataKey | null> {
    if (!this.#dataKeys.has(id)) await this.#load();
    return this.#dataKeys.get(id) ?? null;
  }

  /** Creates a key for later files. */
  async create(): Promise<DataKey> {
    const key = new DataKey();
    await this.#store(key, new Date().toISOString());
    return key;
  }

  /** Seals all data keys under the operator's current key. A process that is killed at any step loses no key. */
  async resealAll(): Promise<void> {
    await this.#load();
    for (const key of this.#dataKeys.values()) await this.#store(key, key.madeAt);
  }

  async #store(key: DataKey, madeAt: string): Promise<void> {
    const { current } = this.#keys;
    const sealed = current.seal(key, contextOf(this.#binding, key.id, madeAt));
    const stored: StoredKey = { made_at: madeAt, sealed_by: current.id, sealed, is_bound: true };
    await this.#files.put(
      `${prefix}${key.id}`,
      (async function* () {
        yield Buffer.from(JSON.stringify(stored));
      })(),
    );
    this.#dataKeys.set(key.id, Object.assign(key, { madeAt }));
  }

  async #load(): Promise<void> {
    for await (const { key: name } of this.#files.list(prefix)) {
      const id = name.slice(prefix.length);
      if (this.#dataKeys.has(id)) continue;
      const file = await this.#files.get(name);
      const stored = file === null ? null : parseStoredKey((await readAll(file)).toString());
      if (stored === null) continue;
      const sealer = this.#keys.find(stored.sealed_by);
      if (sealer === null)
        throw new OperatorError(
          `The vault in ${this.#files.place} has a key that is sealed with the key ${stored.sealed_by}, which is neither BACKUP_KEY nor BACKUP_KEY_PREVIOUS. Set them to the keys of the rotation that did not end.`,
        );
      if (stored.is_bound !== true && !this.#binding.acceptsUnbound) continue;
      const context = stored.is_bound === true ? contextOf(this.#binding, id, stored.made_at) : id;
      const key = sealer.open(id, stored.sealed, context);
      if (key !== null) this.#dataKeys.set(id, Object.assign(key, { madeAt: stored.made_at }));
    }
  }
}

/** Null if the text is damaged. */
function parseStoredKey(text: string): StoredKey | null {
  try {
    return JSON.parse(text) as StoredKey;
  } catch {
    return null;
  }
}
