import { ApiError } from "@beatmarket/foundation/errors.ts";
import { jsonResponse } from "@beatmarket/http/http-response.ts";
import { contentTypes, formOfLines } from "@beatmarket/http/negotiation/forms.ts";
import { protocolRoute, route } from "@beatmarket/http/pipeline/api-route.ts";
import type { LicenseUsage } from "@beatmarket/license-terms/usage.ts";
import { type AnswerParts, grantOf } from "../answers/ask.ts";
import { LicenseId } from "../answers/schema.ts";
import { findHeldLicense, listReports, sumsOf } from "../used.ts";
import { reportUsage } from "./report-usage.ts";
import { LicenseUsageResponse, UsageReportRequest } from "./schema.ts";

/** A license in the demo catalogue of the contract tests. */
const exampleLicense = "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60";
const unknownLicense = "00000000-0000-4000-8000-000000000000";

const usageJson = ({ licenseId, reports, sums }: LicenseUsage) => ({ license_id: licenseId, reports, sums });
const usageReference = (usage: LicenseUsage) => ({ usage: usageJson(usage) });
const usageConsole = (usage: LicenseUsage) => ({ data: usageJson(usage) });

const maxFileBytes = 1_000_000;

/** Holders report the usage of their licenses with these operations (docs/clauses.md, Usage). */
export const licenseUsageRoutes = (parts: AnswerParts) => [
  route({
    operationId: "listLicenseUsage",
    client: "licenses.usage",
    method: "GET",
    path: "/licenses/:license_id/usage",
    tag: "Licenses",
    summary: "List the reported usage of a license",
    description:
      "Returns the usage reports of one of the account's licenses, and their sums with the limits of the license.",
    permission: "orders:read",
    params: LicenseId,
    response: LicenseUsageResponse,
    present: { reference: usageReference, console: usageConsole },
    examples: {
      success: { parameters: { license_id: exampleLicense } },
      invalid: { parameters: { license_id: exampleLicense, period: "2026-11" } },
      missing: { parameters: { license_id: unknownLicense } },
    },
    handle: async ({ db, caller, params }): Promise<LicenseUsage> => {
      const license = await findHeldLicense(db, params.license_id, caller.userId);
      const [reports, sums] = await Promise.all([
        listReports(db, license.id),
        sumsOf(db, license.id, grantOf(license)),
      ]);
      return { licenseId: license.id, reports, sums };
    },
  }),
  route({
    operationId: "reportLicenseUsage",
    client: "licenses.report_usage",
    method: "POST",
    path: "/licenses/:license_id/usage",
    tag: "Licenses",
    summary: "Report the usage of a license",
    description:
      "Stores how many streams, copies or videos a source counted in a month. A report of the same use, period and source replaces the former quantity, so it can be repeated and corrected. Returns the report and the sums. At 80 and 100 percent of a limit the holder gets the event `license.usage` and a mail.",
    permission: "orders:write",
    params: LicenseId,
    body: UsageReportRequest,
    response: LicenseUsageResponse,
    present: { reference: usageReference, console: usageConsole },
    changesContent: () => false,
    conflict: "The license would have more than 5,000 reports.",
    examples: {
      success: {
        parameters: { license_id: exampleLicense },
        body: { use: "streams", quantity: 82_000, period: "2026-11", source: "Distributor" },
      },
      invalid: {
        parameters: { license_id: exampleLicense },
        body: { use: "streams", quantity: 12_000, period: "2026-13", source: "Distributor" },
      },
      missing: {
        parameters: { license_id: unknownLicense },
        body: { use: "streams", quantity: 12_000, period: "2026-11", source: "Distributor" },
      },
    },
    handle: ({ db, clock, caller, requestId, params, body }) =>
      reportUsage(db, parts, {
        licenseId: params.license_id,
        userId: caller.userId,
        reports: [body],
        requestId,
        now: new Date(clock.nowMs()),
      }),
  }),
  protocolRoute({
    operationId: "reportLicenseUsageFile",
    takesMethodOverride: false,
    method: "POST",
    path: "/licenses/:license_id/usage.csv",
    tag: "Licenses",
    summary: "Report the usage of a license as a CSV file",
    description:
      "Stores all rows of a CSV file of at most 1 MB, or none. The first row names the columns `use`, `quantity`, `period` and `source`, in any order; any other column is refused. Rows of the same use, period and source are added up. Returns the reports and the sums as `POST /licenses/{license_id}/usage` does.",
    permission: "orders:write",
    params: LicenseId,
    protocol: {
      requestHeaders: {},
      requestBody: { contentType: "text/csv", required: true },
      responseHeaders: {},
      responses: {
        "200": { description: "The reports of the file and the sums, in the form that `Accept` names." },
        "404": { description: "The account has no such license." },
        "409": { description: "The license would have more than 5,000 reports." },
        "413": { description: "The file is larger than 1 MB." },
        "415": { description: "The Content-Type is not text/csv." },
      },
    },
    handle: async (call) => {
      const { context, caller, clock, db, params, requestId } = call;
      requireCsv(context.requestHeaders["content-type"]);
      const { readUsageCsv } = await import("@beatmarket/license-terms/usage-csv.ts");
      const reports = readUsageCsv(await readText(call.streamBody()));
      const usage = await call.underPermit(() =>
        reportUsage(db, parts, {
          licenseId: params.license_id,
          userId: caller?.userId ?? 0,
          reports,
          requestId,
          now: new Date(clock.nowMs()),
        }),
      );
      const form = formOfLines(context.requestHeaders.accept);
      const body =
        form === "reference"
          ? { status: "success", data: usageReference(usage) }
          : { success: true, ...usageConsole(usage) };
      const response = jsonResponse(JSON.stringify(body));
      return { ...response, headers: { ...response.headers, "content-type": contentTypes[form] } };
    },
  }),
];

function requireCsv(type = ""): void {
  if (/^text\/csv *(;|$)/i.test(type)) return;
  throw new ApiError(
    415,
    "invalid_request",
    "Unsupported media type",
    `This endpoint takes a CSV file: send it with Content-Type: text/csv. Given: ${JSON.stringify(type)}.`,
  );
}

/** Throws 413 for more than `maxFileBytes`, and 400 for text that is not UTF-8. */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxFileBytes)
      throw new ApiError(
        413,
        "invalid_request",
        "File too large",
        "A file of usage has at most 1 MB. Send several files, one for each month.",
      );
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new ApiError(400, "invalid_request", "Invalid request", "The file is not in UTF-8. Save it as CSV UTF-8.");
  }
}
