import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { highestLimit } from "../../beats/licensing/limits.ts";
import { countedUses, maxSourceLength, periodPattern } from "../counted-use.ts";

const use = Type.Enum([...countedUses], { description: "What was used; the name of its clause." });
const report = {
  use,
  quantity: Type.Integer({ minimum: 0, maximum: highestLimit, description: "How many in the period." }),
  period: Type.String({ pattern: periodPattern.source, maxLength: 7, description: "A month, such as `2027-01`." }),
  source: Type.String({
    minLength: 1,
    maxLength: maxSourceLength,
    description: "Who counted them, such as the distributor.",
  }),
};

export const UsageReportRequest = Type.Object(report, { $id: "UsageReportRequest" });

const LicenseUsage = Type.Object(
  {
    license_id: Type.String(),
    reports: Type.Array(Type.Object(report), { description: "By use, period and source." }),
    sums: Type.Array(
      Type.Object({
        use,
        used: Type.Integer({ description: "Over all periods and sources, with what was used before an upgrade." }),
        limit: Type.Union([Type.Integer(), Type.Null()], {
          description: "The number of the clause; null for any number.",
        }),
      }),
      { description: "One for each use." },
    ),
  },
  { $id: "LicenseUsage", description: "What the holder of a license has reported as used." },
);

export const LicenseUsageResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ usage: LicenseUsage }),
  console: LicenseUsage,
};

const licenseType = Type.String();
/** `data` of a license.usage event. */
export const LicenseUsageReached = Type.Object(
  {
    license_id: Type.String(),
    order_id: Type.Integer(),
    beat_id: Type.Integer(),
    title: Type.String(),
    license_type: licenseType,
    use,
    percent: Type.Integer({ description: "80 or 100: the part of the limit that the usage has reached." }),
    used: Type.Integer(),
    limit: Type.Integer(),
    remedy: Type.Union(
      [
        Type.Object({
          license_type: licenseType,
          price: Type.Number({ description: "What the upgrade costs today." }),
          currency: Type.String({ description: "ISO 4217." }),
        }),
        Type.Null(),
      ],
      { description: "The license to buy for more; null where none is for sale." },
    ),
  },
  { $id: "LicenseUsageReached", description: "The usage of a license reached a part of its limit." },
);
