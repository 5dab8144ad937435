import type { BackupSettings } from "../../config.ts";
import type { PlaceSettings } from "../../config-places.ts";
import { OperatorError } from "../../errors.ts";
import type { Files, ListedFile } from "../../storage/files.ts";
import { openFiles } from "../../storage/open-storage.ts";
import type { DataKey } from "./backup-key.ts";
import { DataKeys, OperatorKeys } from "./data-keys.ts";
import { opened, sealed } from "./sealing.ts";
import { whole } from "./whole.ts";

/** What a vault belongs to: an embedded cluster by its system identifier, or the files of an external database by its storage. */
export interface Source {
  kind: "cluster" | "storage";
  id: string;
}

interface Identity {
  format: 1;
  source: Source;
  /** The operator's key that seals the data keys. Null: readable to all who read the vault. */
  key_id: string | null;
}

const identityName = "vault.json";

/** The vault cannot be reached, written or read at the moment: what needs it may be tried again. */
export class VaultUnavailable extends OperatorError {}

/** Opens a vault, without sending anything. */
export async function openVault(
  place: PlaceSettings,
  { key, keyPrevious }: Pick<BackupSettings, "key" | "keyPrevious">,
): Promise<Vault> {
  const files = await openFiles(place, "BACKUP_VAULT");
  return new Vault(files, key === undefined ? null : new OperatorKeys(key, keyPrevious));
}

/** Named files, compressed, checksummed and with a key encrypted (`sealed`). Its methods throw VaultUnavailable. */
export class Vault {
  readonly #files: Files;
  readonly #keys: OperatorKeys | null;
  readonly #dataKeys: DataKeys | null;
  /** What encrypts files that are put, once it is known. */
  #dataKey: DataKey | null = null;

  constructor(files: Files, keys: OperatorKeys | null) {
    this.#files = files;
    this.#keys = keys;
    this.#dataKeys = keys === null ? null : new DataKeys(files, keys);
  }

  get place(): string {
    return this.#files.place;
  }

  get isEncrypted(): boolean {
    return this.#keys !== null;
  }

  /**
   * Makes the vault this source's, if it is nobody's yet, and seals its keys under the operator's current one. Returns whether
   * another one had sealed them. Throws an OperatorError that says what to set when it is another source's.
   */
  async claim(source: Source): Promise<{ hasNewKey: boolean }> {
    const known = await this.#identity();
    if (known === null) {
      await this.#reaching(this.#files.check());
      await this.#identify(source);
      return { hasNewKey: false };
    }
    this.#requireKey(known);
    if (known.source.kind !== source.kind || known.source.id !== source.id)
      throw new OperatorError(
        `The vault in ${this.place} holds the backups of another database (${known.source.kind} ${known.source.id}, this is ${source.kind} ${source.id}). Set BACKUP_VAULT to another folder or prefix.`,
      );
    if (this.#dataKeys === null || known.key_id === this.#keys?.current.id) return { hasNewKey: false };
    await this.#reaching(this.#dataKeys.sealAnew());
    this.#dataKey = await this.#reaching(this.#dataKeys.make());
    await this.#identify(known.source);
    return { hasNewKey: true };
  }

  /** What the vault belongs to. Throws an OperatorError when there is no vault, or the key is not its. */
  async require(): Promise<Source> {
    const known = await this.#identity();
    if (known === null)
      throw new OperatorError(
        `There is no vault in ${this.place}. Correct BACKUP_VAULT or --vault, or make a first backup: beatmarket backup create.`,
      );
    this.#requireKey(known);
    return known.source;
  }

  /** Replaces a file of this name. When `content` throws, so does this, and nothing has changed. */
  async put(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    let fault: { error: unknown } | null = null;
    const source = async function* () {
      try {
        yield* content;
      } catch (error) {
        fault = { error };
        throw error;
      }
    };
    if (this.#dataKeys !== null) this.#dataKey ??= await this.#reaching(this.#dataKeys.newest());
    try {
      await this.#files.put(name, sealed(name, source(), this.#dataKey));
    } catch (error) {
      throw fault === null ? this.#unavailable(error) : (fault as { error: unknown }).error;
    }
  }

  putJson(name: string, value: unknown): Promise<void> {
    return this.put(name, bytesOf(value));
  }

  /** The content of a file; null where there is none. Reading it throws DamagedFile. */
  async get(name: string): Promise<AsyncIterable<Buffer> | null> {
    const file = await this.#reaching(this.#files.get(name));
    return file === null ? null : opened(name, this.#readable(file), (id) => this.#findKey(id));
  }

  async getJson<T>(name: string): Promise<T | null> {
    const content = await this.get(name);
    return content === null ? null : (JSON.parse((await whole(content)).toString()) as T);
  }

  head(name: string): Promise<ListedFile | null> {
    return this.#reaching(this.#files.head(name));
  }

  async *list(prefix: string): AsyncGenerator<ListedFile> {
    try {
      yield* this.#files.list(prefix);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  delete(name: string): Promise<void> {
    return this.#reaching(this.#files.delete(name));
  }

  /** Deletes what killed processes left of files that they were writing. */
  deleteDrafts(before: Date): Promise<void> {
    return this.#reaching(this.#files.deleteDrafts(before, () => true));
  }

  async #identity(): Promise<Identity | null> {
    const file = await this.#reaching(this.#files.get(identityName));
    if (file === null) return null;
    const text = (await whole(this.#readable(file))).toString();
    const identity = identityIn(text);
    if (identity === null)
      throw new OperatorError(
        `${identityName} of the vault in ${this.place} is damaged. Put back the file that was there, or set BACKUP_VAULT to a new folder or prefix.`,
      );
    if (identity.format !== 1)
      throw new OperatorError(`The vault in ${this.place} was made by a newer release. Use that one.`);
    return identity;
  }

  #identify(source: Source): Promise<void> {
    const identity: Identity = { format: 1, source, key_id: this.#keys?.current.id ?? null };
    return this.#reaching(this.#files.put(identityName, bytesOf(identity)));
  }

  #requireKey({ key_id }: Identity): void {
    if (key_id === null && this.#keys === null) return;
    if (key_id === null)
      throw new OperatorError(
        `The vault in ${this.place} is not encrypted, and BACKUP_KEY is set. Remove BACKUP_KEY, or set BACKUP_VAULT to a new folder or prefix.`,
      );
    if (this.#keys?.find(key_id)) return;
    const given =
      this.#keys === null
        ? "not set"
        : `the key ${this.#keys.current.id}${this.#keys.previous === null ? "" : `, BACKUP_KEY_PREVIOUS the key ${this.#keys.previous.id}`}`;
    throw new OperatorError(
      `The vault in ${this.place} is encrypted with the key ${key_id}, and BACKUP_KEY is ${given}. Set BACKUP_KEY to that key; to change it, set BACKUP_KEY_PREVIOUS to that key and BACKUP_KEY to the new one.`,
    );
  }

  async #findKey(id: string): Promise<DataKey | null> {
    return this.#dataKeys === null ? null : this.#reaching(this.#dataKeys.find(id));
  }

  async *#readable(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* file;
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #reaching<T>(work: Promise<T>): Promise<T> {
    return work.catch((error) => {
      throw this.#unavailable(error);
    });
  }

  #unavailable(cause: unknown): OperatorError {
    if (cause instanceof VaultUnavailable) return cause;
    if (cause instanceof OperatorError) return new VaultUnavailable(cause.message, { cause });
    return new VaultUnavailable(`The vault in ${this.place} cannot be used: ${this.#files.explain(cause)}.`, { cause });
  }
}

async function* bytesOf(value: unknown): AsyncGenerator<Buffer> {
  yield Buffer.from(JSON.stringify(value));
}

/** Null when it is damaged. */
function identityIn(text: string): Identity | null {
  try {
    const identity = JSON.parse(text) as Identity;
    return typeof identity.format === "number" ? identity : null;
  } catch {
    return null;
  }
}
