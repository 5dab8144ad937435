import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import type { LicenseType } from "../../beats/licensing/licenses.ts";
import { type FileKind, kindsOf } from "./delivery.ts";

/**
 * What each license of a beat would bring if it were bought now (docs/delivery.md, What a license brings). Beats of
 * `madeSource` have a recording as soon as somebody buys one.
 */
export async function offeredFiles(
  db: Queryable,
  beatId: number,
  madeSource: string | null,
): Promise<Record<LicenseType, FileKind[]>> {
  const { rows } = await sql<{ has_master: boolean; has_stems: boolean }>`
    select beats.source = ${madeSource} or exists (
        select from beat_files where beat_id = beats.id and name = 'master') as has_master,
      exists (select from beat_files where beat_id = beats.id and name = 'stems') as has_stems
    from beats where id = ${beatId}`.execute(db);
  const has = { mp3: rows[0]?.has_master, wav: rows[0]?.has_master, stems: rows[0]?.has_stems, license: true };
  const of = (type: LicenseType) => kindsOf[type].filter((kind) => has[kind] === true);
  return { basic: of("basic"), premium: of("premium"), unlimited: of("unlimited"), exclusive: of("exclusive") };
}
