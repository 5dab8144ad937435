import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Engine, SavedArrays } from "../engine/engine.ts";
import { readOwned, type Snapshot, type SnapshotOwner } from "./snapshot-file.ts";

/** A snapshot that is open already, while it is not yet known whether it belongs to the database. */
export interface EarlySnapshot {
  owner: SnapshotOwner;
  snapshot: Pick<Snapshot, "place" | "madeAtMs">;
  engine: Engine;
}

/**
 * Opens a snapshot of this release, so that the database can start at the same time. Returns null if there is none, or
 * if it cannot be opened: the snapshot is then read again once there is a database, and the reason is reported.
 */
export function openEarly(file: string, openEngine: (saved: SavedArrays) => Engine): EarlySnapshot | null {
  try {
    const owned = readOwned(file, { program: programDigest() });
    if (owned === null) return null;
    const { place, madeAtMs, arrays } = owned.snapshot;
    return { owner: owned.owner, snapshot: { place, madeAtMs }, engine: openEngine(arrays) };
  } catch {
    return null;
  }
}

let digestOfProgram: string | undefined;

/** Digest of the code that makes the arrays and of the version of Node: the meaning of the arrays changes with both. */
export function programDigest(): string {
  digestOfProgram ??= digestOf(
    join(import.meta.dirname, "../engine"),
    ...["text", "music"].map((folder) =>
      join(dirname(fileURLToPath(import.meta.resolve("@beatmarket/foundation/clock.ts"))), folder),
    ),
  );
  return digestOfProgram;
}

function digestOf(...folders: string[]): string {
  const digest = createHash("sha256").update(process.version);
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (name.endsWith(".ts") && !name.endsWith(".test.ts"))
        digest.update(name).update(readFileSync(join(folder, name)));
  return digest.digest("base64url");
}
