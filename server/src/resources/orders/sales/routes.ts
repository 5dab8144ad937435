import { route } from "../../../http/pipeline/api-route.ts";
import { salesConsole } from "./console.ts";
import { listSales } from "./list-sales.ts";
import { salesReference } from "./reference.ts";
import { SalesQuery, SalesResponse } from "./schema.ts";

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
    permission: "orders:read",
    query: SalesQuery,
    response: SalesResponse,
    present: { reference: salesReference, console: salesConsole },
    examples: {
      success: { parameters: { from: "2026-11-01", to: "2026-12-01", limit: 2 } },
      invalid: { parameters: { from: "yesterday" } },
    },
    handle: ({ db, caller, query }) => listSales(db, { ...query, userId: caller.userId }),
  }),
];
