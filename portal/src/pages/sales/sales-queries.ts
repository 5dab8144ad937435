import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/paths.ts";
import { nextDay, type SalesSearch } from "./sales-search.ts";

export type Sale = components["schemas"]["PortalSale"];
export type SalesSum = operations["listPortalSales"]["responses"]["200"]["content"]["application/json"]["sums"][number];

/** A page of sales, with the sums of all pages. */
export const salesQuery = ({ from, to, beat, page = 1 }: SalesSearch) => {
  const query = {
    page,
    ...(from !== undefined && { from }),
    // The API's period ends before `to`.
    ...(to !== undefined && { to: nextDay(to) }),
    ...(beat !== undefined && { beat }),
  };
  return queryOptions({
    queryKey: ["sales", query],
    queryFn: () => unwrap(api.GET("/sales", { params: { query } })),
    placeholderData: keepPreviousData,
  });
};

export const soldBeatsQuery = queryOptions({
  queryKey: ["sales", "beats"],
  queryFn: () => unwrap(api.GET("/sales/beats")),
});
