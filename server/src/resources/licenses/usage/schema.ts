import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { highestLimit } from "@beatmarket/license-terms/limits.ts";
import { countedUses, maxSourceLength, periodPattern } from "@beatmarket/license-terms/usage.ts";
import Type from "typebox";

const use = Type.Enum([...countedUses], { description: "The use: the name of its clause." });
const report = {
  use,
  quantity: Type.Integer({ minimum: 0, maximum: highestLimit, description: "The number in the period." }),
  period: Type.String({ pattern: periodPattern.source, maxLength: 7, description: "A month, such as `2027-01`." }),
  source: Type.String({
    minLength: 1,
    maxLength: maxSourceLength,
    description: "The source of the number, such as the distributor.",
  }),
};

export const UsageReportRequest = Type.Object(report, { $id: "UsageReportRequest" });

export const LicenseUsage = Type.Object(
  {
    license_id: Type.String(),
    reports: Type.Array(Type.Object(report), { description: "By use, period and source." }),
    sums: Type.Array(
      Type.Object({
        use,
        used: Type.Integer({
          description: "The sum over all periods and sources, including the usage before an upgrade.",
        }),
        limit: Type.Union([Type.Integer(), Type.Null()], {
          description: "The number of the clause; null for any number.",
        }),
      }),
      { description: "One for each use." },
    ),
  },
  { $id: "LicenseUsage", description: "The usage that the holder of a license has reported." },
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
    percent: Type.Integer({ description: "80 or 100: the percentage of the limit that the usage has reached." }),
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
      { description: "The license with a higher limit; null if none is for sale." },
    ),
  },
  { $id: "LicenseUsageReached", description: "The usage of a license reached a part of its limit." },
);
