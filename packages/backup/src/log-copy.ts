import type { PlaceOfFiles } from "@beatmarket/storage/files.ts";
import { StorageUnavailable } from "@beatmarket/storage/storage.ts";
import { LogFiles } from "@beatmarket/transparency-log/log-files.ts";
import { LogFault, readEntries } from "@beatmarket/transparency-log/log-reader.ts";
import { transparencyLogPrefix } from "./backup-list.ts";
import { DamagedFile } from "./vault/sealing.ts";
import type { Vault } from "./vault/vault.ts";

export interface RestoredLog {
  /** The number of leaves in the storage; null if the storage lacks the log, or if its checkpoint is damaged. */
  leaves: number | null;
  /** The reason why the log is not restored, as a sentence; null if it is restored, or if the vault has no log. */
  fault: string | null;
}

/**
 * The copy of a transparency log in a vault. A restore of any moment restores the newest copy: published leaves cannot
 * be withdrawn, so the restored program continues after them.
 */
export class LogCopy {
  readonly #vaultLog: LogFiles;
  readonly #storedLog: LogFiles;

  /** `folder` is the folder of the log in the storage. */
  constructor(vault: Vault, storage: PlaceOfFiles, folder: string) {
    this.#vaultLog = vaultLog(vault);
    this.#storedLog = new LogFiles(storage.files, folder);
  }

  /**
   * Copies into the vault the leaves that only the storage has. Returns the fault of a damaged log, as a sentence, or
   * null. Throws VaultUnavailable or StorageUnavailable.
   */
  async ship(): Promise<string | null> {
    return faultOf(this.#vaultLog.copyFrom((path) => this.#readStored(path)));
  }

  /** Copies into the storage the leaves that only the vault has. Throws VaultUnavailable. */
  async restore(): Promise<RestoredLog> {
    const fault = await faultOf(this.#storedLog.copyFrom(this.#vaultLog.read));
    let leaves: number | null = null;
    const count = async () => {
      leaves = (await this.#storedLog.checkpoint())?.size ?? null;
    };
    const storedFault = await faultOf(count());
    return { leaves, fault: fault ?? storedFault };
  }

  async #readStored(path: string): Promise<Buffer | null> {
    try {
      return await this.#storedLog.read(path);
    } catch (error) {
      throw new StorageUnavailable(error);
    }
  }
}

const vaultLog = (vault: Vault): LogFiles => new LogFiles(vault, transparencyLogPrefix.slice(0, -1));

/** Reads the copy of a log in a vault. Returns the fault of a damaged copy, as a sentence, or null. */
export const faultOfLogCopy = (vault: Vault): Promise<string | null> => faultOf(readLog(vaultLog(vault)));

async function readLog(log: LogFiles): Promise<void> {
  const checkpoint = await log.checkpoint();
  for await (const _ of readEntries(0, checkpoint?.size ?? 0, log.read));
}

async function faultOf(work: Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof LogFault || error instanceof DamagedFile) return error.message;
    throw error;
  }
}
