import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { DataKey } from "./backup-key.ts";
import { BlockReader, blocksOf } from "./blocks.ts";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const magic = Buffer.from("BMVAULT1");
const keyIdBytes = 8;
const noKeyId = Buffer.alloc(keyIdBytes);
const saltBytes = 16;
const tagBytes = 16;
const blockBytes = 1_048_576;
const lastBlock = 0x8000_0000;
const compressedBlock = 0x4000_0000;
const lengthMask = 0x3fff_ffff;

/** A file of the vault is missing, truncated, changed, or another file than the one that was written. */
export class DamagedFile extends OperatorError {
  /** The file's name in the vault. */
  readonly file: string;
  /** A description of the damage, as a clause. */
  readonly fault: string;

  constructor(file: string, fault: string) {
    super(`${file} in the vault is damaged: ${fault}.`);
    this.file = file;
    this.fault = fault;
  }
}

/**
 * Encodes a file of a vault: magic, the id of the data key (zeros without a key), salt, then blocks of up to 1 MiB. A
 * block is compressed if that makes it smaller. A length with two marks (compressed, last block) precedes each block,
 * and a tag follows it. The tag covers the block's content and number, the length and marks, and the file's name. With
 * a key, the blocks are encrypted (AES-256-GCM) and the tag authenticates them. Without a key, the tag is a checksum
 * (the first half of a SHA-256). Both kinds of tag detect a block that is changed, moved, missing or from another file.
 */
export async function* sealed(
  name: string,
  content: AsyncIterable<Buffer>,
  key: DataKey | null,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  yield Buffer.concat([magic, key === null ? noKeyId : Buffer.from(key.id, "hex"), salt]);
  const seal = sealer(name, salt, key);
  let number = 0;
  for await (const { block, isLast } of blocksOf(content, blockBytes)) {
    const small = await compress(block);
    const isSmaller = small.length < block.length;
    const payload = isSmaller ? small : block;
    const head = Buffer.alloc(4);
    head.writeUInt32BE((payload.length | (isSmaller ? compressedBlock : 0) | (isLast ? lastBlock : 0)) >>> 0);
    yield head;
    yield* seal(number++, head, payload);
  }
}

/**
 * Decodes a file that `sealed` encoded. `findKey` returns null for a missing key; `findKey` is null for a vault without
 * encryption. In a vault with encryption, every file has a key. Throws DamagedFile.
 */
export async function* openSealed(
  name: string,
  file: AsyncIterable<Buffer>,
  findKey: ((id: string) => Promise<DataKey | null>) | null,
): AsyncGenerator<Buffer> {
  const reader = new BlockReader(file);
  try {
    const read = async (bytes: number): Promise<Buffer> => {
      const chunk = await reader.read(bytes);
      if (chunk === null) throw new DamagedFile(name, "it is cut short");
      return chunk;
    };
    if (!(await read(magic.length)).equals(magic))
      throw new DamagedFile(name, "it does not begin like a file of a vault");
    const keyId = await read(keyIdBytes);
    const id = keyId.toString("hex");
    if (keyId.equals(noKeyId) && findKey !== null)
      throw new DamagedFile(name, "it is not encrypted, as all of this vault is: it was not written with BACKUP_KEY");
    const key = keyId.equals(noKeyId) || findKey === null ? null : await findKey(id);
    if (key === null && !keyId.equals(noKeyId)) throw new DamagedFile(name, `its key keys/${id} is missing or damaged`);
    const open = opener(name, await read(saltBytes), key);
    for (let number = 0, isLast = false; !isLast; number++) {
      const head = await read(4);
      const word = head.readUInt32BE();
      const length = word & lengthMask;
      if (length > blockBytes) throw new DamagedFile(name, `block ${number} has an impossible length`);
      const payload = open(number, head, await read(length), await read(tagBytes));
      isLast = (word & lastBlock) !== 0;
      if ((word & compressedBlock) === 0) yield payload;
      else
        yield await decompress(payload, { maxOutputLength: blockBytes }).catch(() => {
          throw new DamagedFile(name, `block ${number} cannot be decompressed`);
        });
    }
    if ((await reader.read(1)) !== null) throw new DamagedFile(name, "it continues after its end");
  } finally {
    await reader.close();
  }
}

function sealer(name: string, salt: Buffer, key: DataKey | null) {
  const fileKey = key?.forFile(salt);
  return (number: number, head: Buffer, payload: Buffer): Buffer[] => {
    if (fileKey === undefined) return [payload, checksum(name, salt, number, head, payload)];
    const cipher = createCipheriv("aes-256-gcm", fileKey, nonceOf(number)).setAAD(contextOf(name, head));
    const encrypted = cipher.update(payload);
    cipher.final();
    return [encrypted, cipher.getAuthTag()];
  };
}

function opener(name: string, salt: Buffer, key: DataKey | null) {
  const fileKey = key?.forFile(salt);
  return (number: number, head: Buffer, payload: Buffer, tag: Buffer): Buffer => {
    if (fileKey === undefined) {
      if (timingSafeEqual(checksum(name, salt, number, head, payload), tag)) return payload;
      throw new DamagedFile(name, `block ${number} has another checksum`);
    }
    const decipher = createDecipheriv("aes-256-gcm", fileKey, nonceOf(number), { authTagLength: tagBytes })
      .setAAD(contextOf(name, head))
      .setAuthTag(tag);
    try {
      const content = decipher.update(payload);
      decipher.final();
      return content;
    } catch {
      throw new DamagedFile(name, `block ${number} was changed, or was encrypted with another key`);
    }
  };
}

/** The number of the block is a unique nonce, since each file has its own key. */
function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 8);
  return nonce;
}

const contextOf = (name: string, head: Buffer): Buffer => Buffer.concat([head, Buffer.from(name)]);

const checksum = (name: string, salt: Buffer, number: number, head: Buffer, payload: Buffer): Buffer =>
  createHash("sha256")
    .update(salt)
    .update(nonceOf(number))
    .update(contextOf(name, head))
    .update("\0")
    .update(payload)
    .digest()
    .subarray(0, tagBytes);
