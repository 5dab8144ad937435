import { conflict } from "@beatmarket/foundation/errors.ts";
import { money } from "@beatmarket/http/formats.ts";
import { licenseStates } from "@beatmarket/license-terms/judge.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { dayOf } from "@beatmarket/license-terms/question.ts";
import Type, { type Static } from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { type AnswerParts, grantOf, statusOf } from "../../resources/licenses/answers/ask.ts";
import { findLicense } from "../../resources/licenses/certificate.ts";
import { reportUsage } from "../../resources/licenses/usage/report-usage.ts";
import { LicenseUsage, UsageReportRequest } from "../../resources/licenses/usage/schema.ts";
import { findHeldLicense, listReports, sumsOf } from "../../resources/licenses/used.ts";
import { findCompletedOrder } from "../../resources/orders/fulfilment/queries.ts";
import { OrderId } from "../../resources/orders/schema.ts";
import { findUpgrades } from "../../resources/orders/upgrade.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const maxCsvCharacters = 1_000_000;

const LibraryLicense = Type.Object(
  {
    id: Type.String(),
    beat: Type.Object({ id: Type.Integer(), title: Type.String() }, closed),
    license_type: Type.Enum([...licenseTypes]),
    status: Type.Enum([...licenseStates]),
    ordered_month: Type.String({ description: "The first month for which usage can be reported." }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    upgrades: Type.Array(
      Type.Object(
        {
          license_type: Type.Enum([...licenseTypes]),
          is_renewal: Type.Boolean(),
          price: Type.Number({ description: "The price of the license today." }),
          amount: Type.Number({ description: "The amount to pay." }),
        },
        closed,
      ),
      { description: "The licenses that it can be upgraded or renewed to today, the lowest first." },
    ),
    no_upgrade_reason: Type.Union([Type.String(), Type.Null()], {
      description: "Why there is no upgrade. Null if there is one.",
    }),
    usage: LicenseUsage,
  },
  { $id: "LibraryLicense", ...closed },
);

interface HolderCall {
  db: Queryable;
  account: { userId: number };
  clock: { nowMs(): number };
}

/** The usage of a license that the account holds, and the possible upgrades. */
export function libraryLicenseRoutes(answers: AnswerParts): PortalRoute[] {
  const show = async (call: HolderCall, licenseId: string): Promise<Static<typeof LibraryLicense>> => {
    const { db, account, clock } = call;
    const { currency } = answers;
    const license = await findHeldLicense(db, licenseId, account.userId);
    const now = new Date(clock.nowMs());
    const { offers, reason } = await findUpgrades(db, license, { currency, now });
    const { id, claims } = license;
    return {
      id,
      beat: claims.beat,
      license_type: claims.license_type,
      status: statusOf(license, dayOf(now)),
      ordered_month: claims.purchased_at.slice(0, 7),
      currency,
      upgrades: offers.map(({ licenseType, isRenewal, priceCents, amountCents }) => ({
        license_type: licenseType,
        is_renewal: isRenewal,
        price: money(priceCents),
        amount: money(amountCents),
      })),
      no_upgrade_reason: reason,
      usage: {
        license_id: id,
        reports: await listReports(db, id),
        sums: await sumsOf(db, id, grantOf(license)),
      },
    };
  };
  const tag = "Library";
  const path = "/library/orders/:order_id/license";
  const report = async (
    call: HolderCall & { requestId: string; params: { order_id: number } },
    reports: Parameters<typeof reportUsage>[2]["reports"],
  ) => {
    const { db, account, clock, requestId, params } = call;
    const licenseId = await licenseOf(db, account.userId, params.order_id);
    const now = new Date(clock.nowMs());
    await reportUsage(db, answers, { licenseId, userId: account.userId, reports, requestId, now });
    return show(call, licenseId);
  };
  return [
    portalRoute({
      operationId: "getLibraryLicense",
      permission: "orders:read",
      method: "GET",
      path,
      tag,
      summary: "Get the license of an order, its reported usage and its upgrades",
      params: OrderId,
      response: LibraryLicense,
      refusals: [409],
      handle: async (call) => show(call, await licenseOf(call.db, call.account.userId, call.params.order_id)),
    }),
    portalRoute({
      operationId: "reportLibraryUsage",
      permission: "orders:write",
      method: "POST",
      path: `${path}/usage`,
      tag,
      summary: "Report the usage that one source counted in a month",
      params: OrderId,
      body: UsageReportRequest,
      response: LibraryLicense,
      refusals: [409],
      handle: (call) => report(call, [call.body]),
    }),
    portalRoute({
      operationId: "reportLibraryUsageFile",
      permission: "orders:write",
      method: "POST",
      path: `${path}/usage-file`,
      tag,
      summary: "Report the usage in a distributor's CSV file; all rows are stored, or none",
      params: OrderId,
      body: Type.Object({ csv: Type.String({ minLength: 1, maxLength: maxCsvCharacters, "x-multiline": true }) }),
      bodyLimits: { maxBytes: 3 * maxCsvCharacters },
      response: LibraryLicense,
      refusals: [409],
      handle: async (call) => {
        const { readUsageCsv } = await import("@beatmarket/license-terms/usage-csv.ts");
        return report(call, readUsageCsv(call.body.csv));
      },
    }),
  ];
}

/**
 * The id of an order's license. Throws 404 for an order of another account, 409 for an order that is not completed or
 * has no certificate.
 */
async function licenseOf(db: Queryable, userId: number, orderId: number): Promise<string> {
  const order = await findCompletedOrder(db, userId, orderId);
  const license = await findLicense(db, order.id);
  if (license === null)
    throw conflict(`The certificate of order ${orderId} is not issued yet: open the files of the order first.`);
  return license.id;
}
