import type { Queryable } from "../../../database/connect.ts";
import type { LicenseBounds, LicenseLimits } from "./limits.ts";
import { type LicenseColumns, type LicenseSettings, withSettings } from "./settings.ts";

/** The settings with which a producer's new beats begin. */
export interface LicenseDefaults extends LicenseColumns {
  has_free_download: boolean;
}

export async function findLicenseDefaults(db: Queryable, userId: number): Promise<LicenseDefaults> {
  const row = await db
    .selectFrom("license_defaults")
    .select(["unsold_licenses", "license_limits", "has_free_download"])
    .$narrowType<{ license_limits: LicenseLimits }>()
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row ?? { unsold_licenses: [], license_limits: {}, has_free_download: false };
}

/** Changes the named settings. Throws 400 naming the field for settings with which no beat can be sold. */
export async function changeLicenseDefaults(
  db: Queryable,
  userId: number,
  change: { settings: LicenseSettings; hasFreeDownload: boolean },
  { bounds, now }: { bounds: LicenseBounds | null; now: Date },
): Promise<void> {
  const { has_free_download: _, ...before } = await findLicenseDefaults(db, userId);
  const columns = withSettings(before, change.settings, bounds);
  const row = {
    unsold_licenses: columns.unsold_licenses,
    license_limits: columns.license_limits,
    has_free_download: change.hasFreeDownload,
    updated_at: now,
  };
  await db
    .insertInto("license_defaults")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}
