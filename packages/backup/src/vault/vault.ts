import { randomUUID } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { AnchoredFiles } from "@beatmarket/storage/anchored-files.ts";
import type { Files, ListedFile } from "@beatmarket/storage/files.ts";
import { openFiles } from "@beatmarket/storage/open-storage.ts";
import type { PlaceSettings } from "@beatmarket/storage/places.ts";
import { readAll } from "@beatmarket/storage/whole.ts";
import type { BackupSettings } from "../backup-settings.ts";
import type { DataKey } from "./backup-key.ts";
import { DataKeys, OperatorKeys } from "./data-keys.ts";
import { authenticated, type Identity, identityName, isAuthentic, parseIdentity, type Source } from "./identity.ts";
import { DamagedFile, openSealed, sealed } from "./sealing.ts";

/** The vault cannot be reached, written or read at the moment. A later attempt may succeed. */
export class VaultUnavailable extends OperatorError {}

/** Returns the vault in a folder or bucket. Sends no request. */
export async function openVault(
  place: PlaceSettings,
  { key, keyPrevious }: Pick<BackupSettings, "key" | "keyPrevious">,
): Promise<Vault> {
  const files = await openFiles(place, "BACKUP_VAULT");
  return new Vault(files, key === undefined ? null : new OperatorKeys(key, keyPrevious));
}

export interface ClaimOptions {
  /**
   * Whether to begin a new vault if the place is empty. Otherwise an empty place counts as an unreachable vault.
   */
  mayBegin: boolean;
}

export interface VaultClaim {
  /** The vault's id. */
  id: string;
  /** Whether this claim sealed the data keys under a new operator's key. */
  hasNewKey: boolean;
}

/**
 * Named files that are compressed, and either encrypted or, without a key, checksummed (`sealed`). The methods throw
 * VaultUnavailable.
 */
export class Vault {
  /** The files of the place, even if another vault is there. */
  readonly #place: Files;
  readonly #keys: OperatorKeys | null;
  /** The files of the claimed vault; fails if another vault is at the place. */
  #files: Files;
  #dataKeys: DataKeys | null = null;
  /** Encrypts new files; null until it is loaded. */
  #dataKey: DataKey | null = null;

  constructor(files: Files, keys: OperatorKeys | null) {
    this.#place = files;
    this.#files = files;
    this.#keys = keys;
  }

  get place(): string {
    return this.#place.place;
  }

  get isEncrypted(): boolean {
    return this.#keys !== null;
  }

  /**
   * Makes this source the owner of a vault without an owner, binds the data keys to the vault, and seals them under the
   * operator's current key. Throws an OperatorError if another source owns the vault or if the operator's key is wrong,
   * and VaultUnavailable if the vault is unreachable.
   */
  async claim(source: Source, { mayBegin }: ClaimOptions): Promise<VaultClaim> {
    const identity = await this.#identity();
    if (identity === null) {
      if (!mayBegin)
        throw new VaultUnavailable(
          `The vault in ${this.place} is unreachable: its file "${identityName}" is missing. ${this.#place.isBucket ? "Put back the bucket that was there" : "Mount the disk that it is on"}. If it is lost, begin a new one there with \`beatmarket backup create --new-vault\`.`,
        );
      await this.#reaching(this.#place.check());
      return { id: (await this.#identify({ source, id: randomUUID() })).id, hasNewKey: false };
    }
    this.#requireKey(identity);
    if (identity.source.kind !== source.kind || identity.source.id !== source.id)
      throw new OperatorError(
        `The vault in ${this.place} holds the backups of another database (${identity.source.kind} ${identity.source.id}, this is ${source.kind} ${source.id}). Set BACKUP_VAULT to another folder or prefix.`,
      );
    const hasNewKey = this.#keys !== null && identity.key_id !== this.#keys.current.id;
    if (identity.format === 2 && identity.id !== undefined && !hasNewKey) {
      this.#bindTo(identity);
      return { id: identity.id, hasNewKey };
    }
    // Writes the id first, so that a later claim can continue if this one is killed while it seals the keys.
    const id = identity.id ?? randomUUID();
    if (identity.id === undefined) await this.#write({ ...identity, id });
    this.#bindTo({ ...identity, id });
    if (this.#dataKeys !== null) await this.#reaching(this.#dataKeys.resealAll());
    if (this.#dataKeys !== null && hasNewKey) await this.#reaching(this.#dataKeys.create());
    await this.#identify({ source, id });
    return { id, hasNewKey };
  }

  /** Returns the owner of the vault. Throws an OperatorError without a vault, and for a wrong key. */
  async require(): Promise<Source> {
    const identity = await this.#identity();
    if (identity === null)
      throw new OperatorError(
        `There is no vault in ${this.place}. Correct BACKUP_VAULT or --vault, mount its disk, or make a first backup with \`beatmarket backup create\`.`,
      );
    this.#requireKey(identity);
    this.#bindTo(identity);
    return identity.source;
  }

  /** Writes or replaces the file of this name. If `content` throws, `put` throws the same error and changes nothing. */
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
    else if (this.#keys !== null) throw new Error("The vault was not claimed.");
    try {
      await this.#files.put(name, sealed(name, source(), this.#dataKey));
    } catch (error) {
      throw fault === null ? this.#unavailable(error) : (fault as { error: unknown }).error;
    }
  }

  putJson(name: string, value: unknown): Promise<void> {
    return this.put(name, bytesOf(value));
  }

  /** Returns the content of a file; null if it does not exist. Reading it throws DamagedFile. */
  async get(name: string): Promise<AsyncIterable<Buffer> | null> {
    const file = await this.#reaching(this.#files.get(name));
    const findKey = this.#keys === null ? null : (id: string) => this.#findKey(id);
    return file === null ? null : openSealed(name, this.#readable(file), findKey);
  }

  /**
   * Returns the JSON object in a file; null if the file does not exist. Throws DamagedFile. Callers must check the
   * fields, because without a key everyone who can write to the vault can choose them.
   */
  async getJson<T>(name: string): Promise<T | null> {
    const content = await this.get(name);
    if (content === null) return null;
    const text = (await readAll(content)).toString();
    const value = parseJson(text);
    if (typeof value !== "object" || value === null) throw new DamagedFile(name, "it is not a JSON object");
    return value as T;
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

  /** Deletes the drafts of killed processes. */
  deleteDrafts(before: Date): Promise<void> {
    return this.#reaching(this.#files.deleteDrafts(before, () => true));
  }

  async #identity(): Promise<Identity | null> {
    const file = await this.#reaching(this.#place.get(identityName));
    if (file === null) return null;
    const identity = parseIdentity((await readAll(this.#readable(file))).toString(), this.place);
    if (identity === null)
      throw new OperatorError(
        `${identityName} of the vault in ${this.place} is damaged. Put back the file that was there, or set BACKUP_VAULT to a new folder or prefix.`,
      );
    return identity;
  }

  /** Writes the identity in the current format, and binds this object to it. */
  async #identify(owner: { source: Source; id: string }): Promise<Identity & { id: string }> {
    const identity = { format: 2 as const, ...owner, key_id: this.#keys?.current.id ?? null };
    await this.#write(identity);
    this.#bindTo(identity);
    return identity;
  }

  #write(identity: Identity): Promise<void> {
    const authenticatedIdentity = authenticated(identity, this.#keys?.current ?? null);
    return this.#reaching(
      this.#place.put(identityName, bytesOf(identity.format === 1 ? identity : authenticatedIdentity)),
    );
  }

  /** From now on, the vault counts as unreachable if another vault or none is at the place. */
  #bindTo({ id, format, source }: Identity): void {
    const isOurs = (content: string) => {
      const identity = parseIdentity(content, this.place);
      return identity !== null && identity.id === id && identity.source.id === source.id;
    };
    this.#files = new AnchoredFiles(this.#place, { key: identityName, isOurs });
    const binding = { vault: id ?? "", acceptsUnbound: format === 1 };
    this.#dataKeys = this.#keys === null ? null : new DataKeys(this.#files, this.#keys, binding);
    this.#dataKey = null;
  }

  #requireKey(identity: Identity): void {
    const { key_id } = identity;
    if (key_id === null && this.#keys === null) return;
    if (key_id === null)
      throw new OperatorError(
        `The vault in ${this.place} is not encrypted, and BACKUP_KEY is set. Remove BACKUP_KEY, or set BACKUP_VAULT to a new folder or prefix.`,
      );
    const key = this.#keys?.find(key_id) ?? null;
    if (key !== null && !isAuthentic(identity, key))
      throw new OperatorError(
        `${identityName} of the vault in ${this.place} was not written with BACKUP_KEY: someone changed it. Put back the file that was there.`,
      );
    if (key !== null) return;
    const keysText =
      this.#keys === null
        ? "not set"
        : `the key ${this.#keys.current.id}${this.#keys.previous === null ? "" : `, BACKUP_KEY_PREVIOUS the key ${this.#keys.previous.id}`}`;
    throw new OperatorError(
      `The vault in ${this.place} is encrypted with the key ${key_id}, and BACKUP_KEY is ${keysText}. Set BACKUP_KEY to that key; to change it, set BACKUP_KEY_PREVIOUS to that key and BACKUP_KEY to the new one.`,
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

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
