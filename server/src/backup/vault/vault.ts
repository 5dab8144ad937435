import type { PlaceSettings } from "../../config.ts";
import { OperatorError } from "../../errors.ts";
import type { Files, ListedFile } from "../../storage/files.ts";
import { openFiles } from "../../storage/open-storage.ts";
import { BackupKey } from "./backup-key.ts";
import { opened, sealed } from "./sealing.ts";

/** What a vault belongs to: an embedded cluster by its system identifier, or the files of an external database by its storage. */
export interface Source {
  kind: "cluster" | "storage";
  id: string;
}

interface Identity {
  format: 1;
  source: Source;
  /** Null: readable to all who read the vault. */
  key_id: string | null;
}

const identityName = "vault.json";

/** The vault cannot be reached, written or read at the moment: what needs it may be tried again. */
export class VaultUnavailable extends OperatorError {}

/** Opens a vault, without sending anything. */
export async function openVault(place: PlaceSettings, key: string | undefined): Promise<Vault> {
  return new Vault(await openFiles(place, "BACKUP_VAULT"), key === undefined ? null : new BackupKey(key));
}

/** Named files, compressed, checksummed and with a key encrypted (`sealed`). Its methods throw VaultUnavailable. */
export class Vault {
  readonly #files: Files;
  readonly #key: BackupKey | null;

  constructor(files: Files, key: BackupKey | null) {
    this.#files = files;
    this.#key = key;
  }

  get place(): string {
    return this.#files.place;
  }

  get isEncrypted(): boolean {
    return this.#key !== null;
  }

  /** Makes the vault this source's, if it is nobody's yet. Throws an OperatorError that says what to set when it is another's. */
  async claim(source: Source): Promise<void> {
    const known = await this.#identity();
    if (known === null) {
      await this.#reaching(this.#files.check());
      const identity: Identity = { format: 1, source, key_id: this.#key?.id ?? null };
      return this.#reaching(this.#files.put(identityName, bytesOf(identity)));
    }
    this.#requireKey(known);
    if (known.source.kind !== source.kind || known.source.id !== source.id)
      throw new OperatorError(
        `The vault in ${this.place} holds the backups of another database (${known.source.kind} ${known.source.id}, this is ${source.kind} ${source.id}). Set BACKUP_VAULT to another folder or prefix.`,
      );
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
    try {
      await this.#files.put(name, sealed(name, source(), this.#key));
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
    return file === null ? null : opened(name, this.#readable(file), this.#key);
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
    const identity = JSON.parse(text) as Identity;
    if (identity.format !== 1)
      throw new OperatorError(`The vault in ${this.place} was made by a newer release. Use that one.`);
    return identity;
  }

  #requireKey({ key_id }: Identity): void {
    if (key_id === (this.#key?.id ?? null)) return;
    if (key_id === null)
      throw new OperatorError(
        `The vault in ${this.place} is not encrypted, and BACKUP_KEY is set. Remove BACKUP_KEY, or set BACKUP_VAULT to a new folder or prefix.`,
      );
    throw new OperatorError(
      `The vault in ${this.place} is encrypted with the key ${key_id}, and BACKUP_KEY is ${this.#key === null ? "not set" : `the key ${this.#key.id}`}. Set BACKUP_KEY to that key.`,
    );
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

/** All of a short file. */
export async function whole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
