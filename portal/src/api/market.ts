import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components, operations } from "./paths.ts";

/** A license of a beat on sale: price, files, terms. */
export type OfferedLicense = components["schemas"]["OfferedLicense"];
export type OfferedBeat = operations["getMarketBeat"]["responses"]["200"]["content"]["application/json"];
export type OwnedLicense = OfferedBeat["owned"][number];
export type MarketOptions = operations["getMarketOptions"]["responses"]["200"]["content"]["application/json"];

const marketKey = "market";

/** The currency of all prices, and the provider of payments. */
export const optionsQuery = queryOptions({
  queryKey: [marketKey, "options"],
  queryFn: () => unwrap(api.GET("/market/options")),
  staleTime: 300_000,
});

/** A beat with its licenses. Refetched on each visit, because prices may change. */
export const beatQuery = (id: number) =>
  queryOptions({
    queryKey: [marketKey, "beat", id],
    queryFn: () => unwrap(api.GET("/market/beats/{beat_id}", { params: { path: { beat_id: id } } })),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

/** Whether the beat is a favorite of the account, and whether the account follows its producer. */
export const keptQuery = (id: number) =>
  queryOptions({
    queryKey: [marketKey, "kept", id],
    queryFn: () => unwrap(api.GET("/market/beats/{beat_id}/kept", { params: { path: { beat_id: id } } })),
  });

export const sendKept = (id: number, body: { favorite?: boolean; following?: boolean }) =>
  unwrap(api.PATCH("/market/beats/{beat_id}/kept", { params: { path: { beat_id: id } }, body }));

/** The files and rights of each license of a beat. Readable without an account. */
export const licensesQuery = (id: number) =>
  queryOptions({
    queryKey: [marketKey, "licenses", id],
    queryFn: () => unwrap(api.GET("/market/beats/{beat_id}/licenses", { params: { path: { beat_id: id } } })),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
