import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import type { StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { sql } from "kysely";
import type { Queryable } from "../database/connect.ts";
import type { MasterSource } from "../resources/orders/fulfilment/masters.ts";
import type { LoopRenderer } from "./loop/loop-renderer.ts";
import { demoSource } from "./seed.ts";

export interface DemoMasterParts {
  db: Queryable;
  loops: Pick<LoopRenderer, "find">;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
}

/**
 * The recordings of the demo's beats: their loops, which are the same each time, and stored once a buyer orders one.
 */
export class DemoMasters implements MasterSource {
  readonly #parts: DemoMasterParts;

  constructor(parts: DemoMasterParts) {
    this.#parts = parts;
  }

  async make(beatId: number): Promise<(StoredFile & { contentType: string }) | null> {
    const { db, loops, objects, scratch } = this.#parts;
    const beat = await db
      .selectFrom("beats")
      .innerJoin("genres", "genres.id", "beats.genre_id")
      .select(["beats.id", "beats.tempo", "beats.key_code as keyCode", "genres.name as genreName"])
      .where("beats.id", "=", beatId)
      .where("beats.source", "=", demoSource)
      .where(sql<boolean>`not exists (select from beat_files where beat_id = beats.id and name = 'master')`)
      .executeTakeFirst();
    if (beat === undefined) return null;
    const { body } = await loops.find(beat);
    return scratch.use(async (folder) => {
      const file = join(folder, "loop.wav");
      await writeFile(file, body);
      return { ...(await objects.store(file)), contentType: "audio/wav" };
    });
  }
}
