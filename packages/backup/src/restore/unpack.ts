import { createHash } from "node:crypto";
import { chown, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Cluster } from "@beatmarket/postgres/embedded/cluster.ts";
import type { DatabasePart } from "../backup-list.ts";
import { BlockReader } from "../vault/blocks.ts";
import { DamagedFile } from "../vault/sealing.ts";
import type { Vault } from "../vault/vault.ts";

const chunkBytes = 1_048_576;

/** Writes the files of a base backup into an empty cluster. Throws DamagedFile if a file differs from the backup. */
export async function unpack(
  vault: Vault,
  { packs, files, folders }: DatabasePart,
  { dir, account }: Cluster,
  { signal, onProgress }: { signal: AbortSignal; onProgress(bytes: number): void },
): Promise<void> {
  for (const folder of folders) {
    await mkdir(join(dir, folder), { mode: 0o700 });
    if (account !== undefined) await chown(join(dir, folder), account.uid, account.gid);
  }
  /** The pack that is being read, for errors. */
  let currentPack = "";
  const readPacks = async function* () {
    for (const { name } of packs) {
      currentPack = name;
      const content = await vault.get(name);
      if (content === null) throw new DamagedFile(name, "it is missing");
      yield* content;
    }
  };
  const reader = new BlockReader(readPacks());
  try {
    let unpackedBytes = 0;
    for (const { path, bytes, sha256 } of files) {
      const hash = createHash("sha256");
      const file = await open(join(dir, path), "wx", 0o600);
      try {
        if (account !== undefined) await file.chown(account.uid, account.gid);
        for (let remainingBytes = bytes; remainingBytes > 0; ) {
          signal.throwIfAborted();
          const chunk = await reader.readUpTo(Math.min(remainingBytes, chunkBytes));
          if (chunk.length === 0) throw new DamagedFile(currentPack, `it ends within ${path}`);
          await file.writeFile(chunk);
          hash.update(chunk);
          remainingBytes -= chunk.length;
          unpackedBytes += chunk.length;
          onProgress(unpackedBytes);
        }
      } finally {
        await file.close();
      }
      if (hash.digest("hex") !== sha256)
        throw new DamagedFile(currentPack, `${path} in ${dirname(currentPack)} has another checksum`);
    }
  } finally {
    await reader.close();
  }
}
