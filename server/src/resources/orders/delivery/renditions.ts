import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";

export const renditionKinds = ["mp3", "wav"] as const;
export type RenditionKind = (typeof renditionKinds)[number];

/** A file made of a master for its buyers. */
export interface Rendition {
  kind: RenditionKind;
  sha256: string;
  bytes: number;
  contentType: string;
}

/** Those of a master: none before they are made, then all. */
export const findRenditions = (db: Queryable, masterSha256: string): Promise<Rendition[]> =>
  db
    .selectFrom("renditions")
    .select(["kind", "sha256", "bytes", "content_type as contentType"])
    .where("master_sha256", "=", masterSha256)
    .$narrowType<{ kind: RenditionKind }>()
    .execute();

/** Channel of the notice that a master's renditions are made, or were not: a RenditionNotice in JSON. */
export const renditionsChannel = "renditions";

export interface RenditionNotice {
  masterSha256: string;
  /** Why an attempt failed, a sentence; null: they are made. */
  failure: string | null;
}

/** Tells those who wait. Within a transaction, at its commit. */
export async function tellOfRenditions(db: Queryable, notice: RenditionNotice): Promise<void> {
  await sql`select pg_notify(${renditionsChannel}, ${JSON.stringify(notice)})`.execute(db);
}
