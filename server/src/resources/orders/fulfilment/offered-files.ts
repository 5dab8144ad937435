import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { LicenseType } from "../../beats/licensing/licenses.ts";
import { isLossy } from "../../beats/licensing/lossy.ts";
import { type FileKind, kindsOf } from "./fulfilment.ts";

/**
 * The files that each license of a beat would include now (docs/delivery.md, What a license brings). Beats of
 * `madeSource` get a recording when a buyer orders one.
 */
export async function offeredFiles(
  db: Queryable,
  beatId: number,
  madeSource: string | null,
): Promise<Record<LicenseType, FileKind[]>> {
  const { rows } = await sql<BeatFilesRow>`
    select ${beatFilesColumns(madeSource)} from ${beatsWithMaster} where beats.id = ${beatId}`.execute(db);
  return offeredFilesOf(rows[0] ?? { has_master: false, is_lossy: false, has_stems: false });
}

export interface BeatFilesRow {
  has_master: boolean;
  is_lossy: boolean;
  has_stems: boolean;
}

/** The table of a statement with `beatFilesColumns`. */
export const beatsWithMaster = sql`beats left join beat_files master on master.beat_id = beats.id and master.name = 'master'`;

export const beatFilesColumns = (madeSource: string | null): RawBuilder<unknown> => sql`
  beats.source = ${madeSource} or master.name is not null as has_master,
  coalesce(${isLossy("master")}, false) as is_lossy,
  exists (select from beat_files where beat_id = beats.id and name = 'stems') as has_stems`;

export function offeredFilesOf(beat: BeatFilesRow): Record<LicenseType, FileKind[]> {
  const has = {
    ...{ mp3: beat.has_master, wav: beat.has_master && !beat.is_lossy },
    ...{ stems: beat.has_stems, license: true },
  };
  const of = (type: LicenseType) => kindsOf[type].filter((kind) => has[kind]);
  return { basic: of("basic"), premium: of("premium"), unlimited: of("unlimited"), exclusive: of("exclusive") };
}
