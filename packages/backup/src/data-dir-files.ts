import { chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dataDirName } from "./backup-list.ts";
import { DamagedFile } from "./vault/sealing.ts";
import type { Vault } from "./vault/vault.ts";

/** What the service cannot make again, and no one else may read: the key that seals secrets, and the certificate authority. */
const secretFile = "secret-key";
const certificateFolder = "tls";

/** By their paths in the data folder, in base64. */
type Contents = Record<string, string>;

interface Shipped {
  /** ISO 8601. */
  shipped_at: string;
  files: Contents;
}

/** The paths that are restored, whatever the vault says. */
const isSecretFile = (path: string): boolean => path === secretFile || /^tls\/[\w-][\w.-]*$/.test(path);

/** Keeps the secret files of a data folder in an encrypted vault. A vault that others may read gets none of them. */
export class DataDirFiles {
  readonly #vault: Vault;
  readonly #dataDir: string;
  #shipped = "";
  /** When they were shipped last, by this process; null: they were not. */
  shippedAt: string | null = null;

  constructor(vault: Vault, dataDir: string) {
    this.#vault = vault;
    this.#dataDir = dataDir;
  }

  /** Ships them when they have changed. */
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
    await this.#vault.putJson(dataDirName, { shipped_at, files: contents } satisfies Shipped);
    this.#shipped = text;
    this.shippedAt = shipped_at;
  }

  /**
   * Writes them into the data folder. Returns their paths. Throws DamagedFile when they are none of these files, or older than those
   * of a backup, which were shipped at `since`.
   */
  async restore(since: string | undefined): Promise<string[]> {
    const found = (await this.#vault.getJson<Shipped | Contents>(dataDirName)) ?? {};
    const { shipped_at = "", files: contents } = isShipped(found) ? found : { files: found };
    const stray = Object.keys(contents).find((path) => !isSecretFile(path));
    if (stray !== undefined)
      throw new DamagedFile(
        dataDirName,
        `it names a file that does not belong there: ${JSON.stringify(stray).slice(0, 200)}`,
      );
    if (since !== undefined && shipped_at < since)
      throw new DamagedFile(dataDirName, `it is older than the backup, which has that of ${since}`);
    const { uid, gid } = await stat(this.#dataDir);
    for (const [path, content] of Object.entries(contents)) {
      const target = join(this.#dataDir, path);
      const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(target, Buffer.from(content, "base64"), { mode: 0o600 });
      if (process.getuid?.() !== 0) continue;
      if (made !== undefined) await chown(made, uid, gid);
      await chown(target, uid, gid);
    }
    return Object.keys(contents);
  }
}

/** Earlier releases shipped the contents alone. */
const isShipped = (found: Shipped | Contents): found is Shipped => typeof found.files === "object";
