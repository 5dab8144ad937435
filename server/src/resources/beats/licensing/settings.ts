import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { money } from "@beatmarket/http/formats.ts";
import { type Clause, clauses } from "@beatmarket/license-terms/clauses.ts";
import { type LicenseType, licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import {
  highestLimit,
  type LicenseBounds,
  type LicenseLimits,
  requireLimits,
} from "@beatmarket/license-terms/limits.ts";
import Type, { type Static } from "typebox";
import type { Queryable } from "../../../database/connect.ts";
import { type LicensePrices, licensePriceColumns } from "./licenses.ts";

// A producer's settings for the licenses of a beat (docs/api/beats.md, License settings), and their columns.

const limit = Type.Union([Type.Integer({ minimum: 0, maximum: highestLimit }), Type.Null()]);
const closed = { additionalProperties: false };
const limitFields = Object.fromEntries(clauses.map((name) => [name, Type.Optional(limit)])) as Record<
  Clause,
  ReturnType<typeof Type.Optional<typeof limit>>
>;

const settingsOfType = Type.Object(
  {
    sold: Type.Optional(Type.Boolean({ description: "Whether the license is sold." })),
    limits: Type.Optional(
      Type.Object(limitFields, {
        ...closed,
        description:
          "Your own limits, which replace your earlier ones. Null means any number. A limit that is not named is as in the terms.",
      }),
    ),
  },
  closed,
);

/** A change of the settings of the named licenses. */
export const LicenseSettings = Type.Object(
  {
    basic: Type.Optional(settingsOfType),
    premium: Type.Optional(settingsOfType),
    unlimited: Type.Optional(settingsOfType),
    exclusive: Type.Optional(settingsOfType),
  },
  {
    ...closed,
    description:
      "Which licenses are sold, and with which limits. A license that is not named keeps its settings; in a new beat, it has your default settings.",
  },
);
export type LicenseSettings = Static<typeof LicenseSettings>;

const shownType = Type.Object({
  sold: Type.Boolean(),
  price: Type.Number({ description: "The price, also of a license that is not sold." }),
  limits: Type.Object(limitFields, { description: "The limits that the producer changed." }),
});

/** Schema of `licenseSettings`. */
export const ShownLicenseSettings = Type.Object(
  { basic: shownType, premium: shownType, unlimited: shownType, exclusive: shownType },
  { description: "Which licenses are sold, and with which limits." },
);

/** The columns of `beats` that store the settings. */
export interface LicenseColumns {
  unsold_licenses: string[];
  license_limits: LicenseLimits;
}

export const licenseSettings = (beat: LicenseColumns & LicensePrices) => {
  const shownSettings = (type: LicenseType) => ({
    sold: !beat.unsold_licenses.includes(type),
    price: money(beat[licensePriceColumns[type]]),
    limits: beat.license_limits[type] ?? {},
  });
  return {
    basic: shownSettings("basic"),
    premium: shownSettings("premium"),
    unlimited: shownSettings("unlimited"),
    exclusive: shownSettings("exclusive"),
  };
};

/** The complete settings that these columns store. */
export const settingsOf = ({ unsold_licenses, license_limits }: LicenseColumns): LicenseSettings =>
  Object.fromEntries(
    licenseTypes.map((type) => [type, { sold: !unsold_licenses.includes(type), limits: license_limits[type] ?? {} }]),
  );

/** The columns after a change. Throws 400 naming the field if the beat could not be sold with the settings. */
export function withSettings(
  before: LicenseColumns,
  settings: LicenseSettings,
  bounds: LicenseBounds | null,
): LicenseColumns {
  const unsold_licenses: string[] = licenseTypes.filter((type) =>
    settings[type]?.sold === undefined ? before.unsold_licenses.includes(type) : !settings[type].sold,
  );
  if (unsold_licenses.length === licenseTypes.length)
    throw invalidRequest(
      "The license_settings field stops the sale of all licenses; leave one, or withdraw the beat.",
      "license_settings",
    );
  const license_limits: LicenseLimits = Object.fromEntries(
    licenseTypes.flatMap((type) => {
      const limits = settings[type]?.limits ?? before.license_limits[type] ?? {};
      return Object.keys(limits).length === 0 ? [] : [[type, limits]];
    }),
  );
  const after = { unsold_licenses, license_limits };
  requireLimits(bounds, after);
  return after;
}

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

/** Changes the settings of the named licenses, and `hasFreeDownload`. Throws 400 if no beat could be sold with them. */
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
