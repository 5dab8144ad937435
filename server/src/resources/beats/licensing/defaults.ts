import type { Queryable } from "../../../database/connect.ts";
import type { LicenseLimits } from "./limits.ts";
import type { LicenseColumns } from "./settings.ts";

/** What a producer's new beats begin with. */
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
