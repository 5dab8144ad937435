import { chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dataDirName } from "./backup-list.ts";
import { DamagedFile } from "./vault/sealing.ts";
import type { Vault } from "./vault/vault.ts";

/**
 * Files that the service cannot recreate and that must stay private: the key that seals secrets, and the certificate
 * authority.
 */
const secretFile = "secret-key";
const certificateFolder = "tls";

/** The contents of files in base64, by path in the data folder. */
type Contents = Record<string, string>;

interface ShippedFiles {
  /** ISO 8601. */
  shipped_at: string;
  files: Contents;
}

/** Whether a path may be restored. */
const isSecretFile = (path: string): boolean => path === secretFile || /^tls\/[\w-][\w.-]*$/.test(path);

/** Copies the secret files of a data folder into an encrypted vault, and never into an unencrypted one. */
export class DataDirFiles {
  readonly #vault: Vault;
  readonly #dataDir: string;
  #shipped = "";
  /** When this process last shipped the files; null if it has not. */
  shippedAt: string | null = null;

  constructor(vault: Vault, dataDir: string) {
    this.#vault = vault;
    this.#dataDir = dataDir;
  }

  /** Ships the files if they have changed. */
  async ship(): Promise<void> {
    if (!this.#vault.isEncrypted) return;
    const certificates = await readdir(join(this.#dataDir, certificateFolder)).catch(() => []);
    const contents: Contents = {};
    for (const path of [secretFile, ...certificates.map((name) => `${certificateFolder}/${name}`)]) {
      const content = await readFile(join(this.#dataDir, path)).catch(() => null);
      if (content !== null) contents[path] = content.toString("base64");
    }
    const text = JSON.stringify(contents);
    if (text === this.#shipped) return;
    const shipped_at = new Date().toISOString();
    await this.#vault.putJson(dataDirName, { shipped_at, files: contents } satisfies ShippedFiles);
    this.#shipped = text;
    this.shippedAt = shipped_at;
  }

  /**
   * Writes the files into the data folder, and returns their paths. Throws DamagedFile if the vault names other files,
   * or if the files were shipped before `since`, the time that a backup records.
   */
  async restore(since: string | undefined): Promise<string[]> {
    const storedContents = (await this.#vault.getJson<ShippedFiles | Contents>(dataDirName)) ?? {};
    const { shipped_at = "", files: contents } = isShipped(storedContents) ? storedContents : { files: storedContents };
    const stray = Object.keys(contents).find((path) => !isSecretFile(path));
    if (stray !== undefined)
      throw new DamagedFile(
        dataDirName,
        `it names a file that does not belong there: ${JSON.stringify(stray).slice(0, 200)}`,
      );
    if (since !== undefined && shipped_at < since)
      throw new DamagedFile(dataDirName, `it is older than the backup, which needs the file of ${since}`);
    const { uid, gid } = await stat(this.#dataDir);
    for (const [path, content] of Object.entries(contents)) {
      const target = join(this.#dataDir, path);
      const firstCreated = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(target, Buffer.from(content, "base64"), { mode: 0o600 });
      if (process.getuid?.() !== 0) continue;
      if (firstCreated !== undefined) await chown(firstCreated, uid, gid);
      await chown(target, uid, gid);
    }
    return Object.keys(contents);
  }
}

/** Earlier releases shipped only the contents. */
const isShipped = (contents: ShippedFiles | Contents): contents is ShippedFiles => typeof contents.files === "object";
