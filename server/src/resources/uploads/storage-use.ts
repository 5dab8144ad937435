import { sql } from "kysely";
import { type PlanName, planNames } from "../../access/plans.ts";
import type { Queryable } from "../../database/connect.ts";

/** The bytes that an account's files use, and the maximum. `maxBytes` is null for no limit. */
export interface StorageUse {
  usedBytes: number;
  maxBytes: number | null;
  plan: PlanName;
}

/**
 * The limit of each plan as a multiple of the limit of plan standard (docs/api/limits.md, Storage). Null for no limit.
 */
const timesStandard: Readonly<Record<PlanName, number | null>> = {
  standard: 1,
  plus: 10,
  partner: 100,
  internal: null,
};

export interface StorageRequest {
  userId: number;
  now: Date;
  /** The limit of plan standard. */
  standardBytes: number;
}

/**
 * Sums the sizes of all files of an account. Each distinct file counts once. The files are: uploads that are
 * incomplete, in analysis, or may be analysed again, with their full size; ready uploads; the files of all beats,
 * including drafts and withdrawn beats; replaced files that buyers have bought; and the profile picture. The account's
 * plan is the highest plan of its active keys.
 */
export async function storageUse(db: Queryable, { userId, now, standardBytes }: StorageRequest): Promise<StorageUse> {
  const { rows } = await sql<{ used: number; plan: PlanName | null }>`
    with own as (select id, bytes, status, is_retriable from uploads
                 where user_id = ${userId} and (used_at is not null or expires_at > ${now})),
    sold as (
      select master_sha256 as sha256 from orders where producer_id = ${userId}
      union
      select stems_sha256 from orders where producer_id = ${userId}
    ),
    files as (
      select sha256, file.bytes from own join upload_files file on file.upload_id = own.id
      union
      select sha256, file.bytes from beats join beat_files file on file.beat_id = beats.id where beats.user_id = ${userId}
      union
      select sha256, bytes from sold join stored_objects using (sha256)
      union
      select sha256, bytes from profile_pictures where user_id = ${userId}
    )
    select
      (select coalesce(sum(bytes), 0) from own
       where status in ('receiving', 'analysing') or (status = 'rejected' and is_retriable))
        + (select coalesce(sum(bytes), 0) from files) as used,
      (select plan from api_keys
       where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > ${now})
       order by array_position(${sql.val(planNames)}::text[], plan) desc limit 1) as plan`.execute(db);
  const plan = rows[0]?.plan ?? "standard";
  const times = timesStandard[plan];
  return { usedBytes: Number(rows[0]?.used ?? 0), maxBytes: times === null ? null : times * standardBytes, plan };
}
