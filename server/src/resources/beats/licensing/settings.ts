import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import Type, { type Static } from "typebox";
import { type LicenseType, licenseTypes } from "./licenses.ts";
import { clauses, highestLimit, type LicenseBounds, type LicenseLimits, requireLimits } from "./limits.ts";

// What a producer says of the licenses of a beat (docs/api/beats.md, License settings), and how its row has it. Pure.

const limit = Type.Union([Type.Integer({ minimum: 0, maximum: highestLimit }), Type.Null()]);
const closed = { additionalProperties: false };
const limitFields = Object.fromEntries(clauses.map((name) => [name, Type.Optional(limit)])) as Record<
  (typeof clauses)[number],
  ReturnType<typeof Type.Optional<typeof limit>>
>;

const ofType = Type.Object(
  {
    sold: Type.Optional(Type.Boolean({ description: "Whether the license is sold." })),
    limits: Type.Optional(
      Type.Union([Type.Object(limitFields, closed), Type.Null()], {
        description:
          "Changes the limits that are named; null stands for any number. Null instead of the object: those of the marketplace's terms.",
      }),
    ),
  },
  closed,
);

/** Changes of the licenses that are named. */
export const LicenseSettings = Type.Object(
  {
    basic: Type.Optional(ofType),
    premium: Type.Optional(ofType),
    unlimited: Type.Optional(ofType),
    exclusive: Type.Optional(ofType),
  },
  {
    ...closed,
    description: "Which licenses are sold, and with which limits. Those that are not named stay as they are.",
  },
);
export type LicenseSettings = Static<typeof LicenseSettings>;

const shownType = Type.Object({
  sold: Type.Boolean(),
  limits: Type.Object(limitFields, { description: "Those that the producer changed." }),
});

/** Schema of `licenseSettings`. */
export const ShownLicenseSettings = Type.Object(
  { basic: shownType, premium: shownType, unlimited: shownType, exclusive: shownType },
  { description: "Which licenses are sold, and with which limits." },
);

/** The columns of `beats`. */
export interface LicenseColumns {
  unsold_licenses: string[];
  license_limits: LicenseLimits;
}

export const licenseSettings = ({ unsold_licenses, license_limits }: LicenseColumns) => {
  const of = (type: LicenseType) => ({ sold: !unsold_licenses.includes(type), limits: license_limits[type] ?? {} });
  return { basic: of("basic"), premium: of("premium"), unlimited: of("unlimited"), exclusive: of("exclusive") };
};

/** The columns after a change. Throws 400 naming the field for what cannot be sold that way. */
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
  const limitsAfter = (type: LicenseType) => {
    const changed = settings[type]?.limits;
    return changed === null ? {} : { ...before.license_limits[type], ...changed };
  };
  const license_limits: LicenseLimits = Object.fromEntries(
    licenseTypes.flatMap((type) => {
      const limits = limitsAfter(type);
      return Object.keys(limits).length === 0 ? [] : [[type, limits]];
    }),
  );
  const after = { unsold_licenses, license_limits };
  requireLimits(bounds, after);
  return after;
}
