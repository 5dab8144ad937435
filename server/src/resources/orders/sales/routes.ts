import { fileRoute, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { exportSales } from "./export-sales.ts";
import { listSales } from "./list-sales.ts";
import { SalesMonthQuery, SalesQuery, SalesResponse, salesConsole, salesReference } from "./present.ts";

export const salesRoutes = [
  route({
    operationId: "listSales",
    client: "sales.list",
    method: "GET",
    path: "/users/me/sales",
    tag: "Sales",
    summary: "List your sales",
    description:
      "The completed orders of the beats that the key's account sold, newest first, one page at a time. Sales of imported producers whom the account has claimed are among them.",
    permission: "sales:read",
    query: SalesQuery,
    response: SalesResponse,
    present: { reference: salesReference, console: salesConsole },
    examples: {
      success: { parameters: { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z", limit: 2 } },
      invalid: { parameters: { from: "yesterday" } },
    },
    handle: ({ db, caller, query }) => listSales(db, { ...query, userId: caller.userId }),
  }),
  fileRoute({
    operationId: "exportSales",
    client: "sales.export",
    method: "GET",
    path: "/users/me/sales.csv",
    tag: "Sales",
    summary: "Download a month of sales",
    description:
      "The sales of a month (UTC) as CSV in UTF-8 with a byte order mark and a header line, oldest first: money with two decimals, and a leading apostrophe before a name that a spreadsheet would take for a formula.",
    permission: "sales:read",
    query: SalesMonthQuery,
    file: {
      name: "sales.csv",
      contentType: "text/csv",
      headers: { "Content-Disposition": Type.String({ description: "A name for the file." }) },
      shown: "path",
    },
    examples: { success: { parameters: { month: "2026-11" } }, invalid: { parameters: { month: "November" } } },
    handle: (call) => exportSales(call),
  }),
];
