import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { highestLimit } from "@beatmarket/license-terms/limits.ts";
import { countedUses, maxSourceLength, periodPattern } from "@beatmarket/license-terms/usage.ts";
import Type from "typebox";

const use = Type.Enum([...countedUses], { description: "What is counted: streams, copies or videos." });
const report = {
  use,
  quantity: Type.Integer({
    minimum: 0,
    maximum: highestLimit,
    description: "The number of streams, copies or videos in the period.",
  }),
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
    reports: Type.Array(Type.Object(report), { description: "The reports, ordered by use, period and source." }),
    sums: Type.Array(
      Type.Object({
        use,
        used: Type.Integer({
          description: "The sum over all periods and sources, including the usage before an upgrade.",
        }),
        limit: Type.Union([Type.Integer(), Type.Null()], {
          description: "The limit in the clause. Null for any number.",
        }),
      }),
      { description: "The sums, one for each use." },
    ),
  },
  { $id: "LicenseUsage", description: "The usage of a license, as its holder has reported it." },
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
    percent: Type.Integer({ description: "The percentage of the limit that the usage has reached: 80 or 100." }),
    used: Type.Integer(),
    limit: Type.Integer(),
    remedy: Type.Union(
      [
        Type.Object({
          license_type: licenseType,
          price: Type.Number({ description: "The price of the upgrade today." }),
          currency: Type.String({ description: "The currency, by ISO 4217." }),
        }),
        Type.Null(),
      ],
      { description: "The license with a higher limit. Null if none is for sale." },
    ),
  },
  {
    $id: "LicenseUsageReached",
    description: "The report that the usage of a license has reached 80 or 100 percent of a limit.",
  },
);
