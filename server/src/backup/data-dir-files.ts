import { chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dataDirName } from "./catalogue.ts";
import type { Vault } from "./vault/vault.ts";

/** What the service cannot make again, and nobody else may read: the key that seals secrets, and the certificate authority. */
const secretFile = "secret-key";
const certificateFolder = "tls";

/** By their paths in the data folder, in base64. */
type Contents = Record<string, string>;

/** Keeps the secret files of a data folder in an encrypted vault. A vault that others may read gets none of them. */
export class DataDirFiles {
  readonly #vault: Vault;
  readonly #dataDir: string;
  #shipped = "";

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
    await this.#vault.putJson(dataDirName, contents);
    this.#shipped = text;
  }

  /** Writes them into the data folder. Returns their paths. */
  async restore(): Promise<string[]> {
    const contents = (await this.#vault.getJson<Contents>(dataDirName)) ?? {};
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
