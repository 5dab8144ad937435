import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../../../errors.ts";

/** Encrypts secrets at rest, so that the database alone does not reveal them. */
export interface SecretBox {
  seal(text: string): string;
  /** Throws an OperatorError if the text was sealed under another key. */
  open(sealed: string): string;
}

const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/**
 * Uses SECRET_KEY, or else the key in `DATA_DIR/secret-key` (mode 0600), which the first process creates. Instances that
 * share a database must share the key.
 */
export async function openSecretBox(config: { dataDir: string; secretKey: string | undefined }): Promise<SecretBox> {
  const text = await readSecretKey(config);
  const key = createHash("sha256").update("beatmarket secret box\0").update(text).digest();
  return {
    seal: (plain) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${version}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64")}`;
    },
    open: (sealed) => {
      try {
        const bytes = Buffer.from(sealed.slice(version.length + 1), "base64");
        const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes));
        cipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return Buffer.concat([cipher.update(bytes.subarray(ivBytes + tagBytes)), cipher.final()]).toString("utf8");
      } catch {
        throw new OperatorError(
          "A webhook secret was sealed under another key. Set SECRET_KEY, or restore DATA_DIR/secret-key, to what it was when the endpoint was made.",
        );
      }
    },
  };
}

/** Derives a secret for one purpose from the same key (HKDF, RFC 5869). It does not reveal the key. */
export async function deriveSecret(
  config: { dataDir: string; secretKey: string | undefined },
  purpose: string,
): Promise<string> {
  const text = await readSecretKey(config);
  return Buffer.from(hkdfSync("sha256", text, "", `beatmarket ${purpose}`, 32)).toString("base64");
}

const readSecretKey = async (config: { dataDir: string; secretKey: string | undefined }): Promise<string> =>
  config.secretKey ?? keyFileIn(config.dataDir);

/** Reads the key file in DATA_DIR, creating it if needed. `link` never overwrites, so of two processes the first one wins. */
async function keyFileIn(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret-key");
  const existing = await readKey(file);
  if (existing !== null) return existing;
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  const created = await readKey(file);
  if (created === null)
    throw new OperatorError(`No key could be kept in ${file}. Make the folder writable, or set SECRET_KEY.`);
  return created;
}

async function readKey(file: string): Promise<string | null> {
  try {
    const text = (await readFile(file, "utf8")).trim();
    if (text.length < 32)
      throw new OperatorError(
        `${file} is damaged. Restore it from a backup, or set SECRET_KEY; the secrets sealed under it need it.`,
      );
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
