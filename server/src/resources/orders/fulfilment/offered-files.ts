import { sql } from "kysely";
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
  const { rows } = await sql<{ has_master: boolean; is_lossy: boolean; has_stems: boolean }>`
    select beats.source = ${madeSource} or master.name is not null as has_master,
      coalesce(${isLossy("master")}, false) as is_lossy,
      exists (select from beat_files where beat_id = beats.id and name = 'stems') as has_stems
    from beats left join beat_files master on master.beat_id = beats.id and master.name = 'master'
    where beats.id = ${beatId}`.execute(db);
  const { has_master: hasMaster = false, is_lossy: isMasterLossy = false, has_stems: hasStems = false } = rows[0] ?? {};
  const has = { mp3: hasMaster, wav: hasMaster && !isMasterLossy, stems: hasStems, license: true };
  const of = (type: LicenseType) => kindsOf[type].filter((kind) => has[kind]);
  return { basic: of("basic"), premium: of("premium"), unlimited: of("unlimited"), exclusive: of("exclusive") };
}
