import type { ReadServer } from "../../database/connection/connect.ts";
import { route } from "../../http/pipeline/api-route.ts";
import { countedPage, type Page } from "../../listing/page.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import { findProducers } from "../users/queries.ts";
import { searchConsole } from "./console.ts";
import type { Hit } from "./hit.ts";
import { type SearchRequest, search } from "./queries.ts";
import { searchReference } from "./reference.ts";
import { SearchQuery, SearchResponse } from "./schema.ts";
import type { SearchTotals } from "./totals/totals.ts";

export const searchRoutes = (catalogueOn: (server: ReadServer) => BeatCatalogue, totals: SearchTotals) => [
  route({
    operationId: "search",
    client: "search",
    method: "GET",
    path: "/search",
    tag: "Search",
    summary: "Search beats and producers",
    description:
      "Beats and producers in one ranking. `total` is exact up to 10,000 matches; beyond that it is 10,000 and pages end there, the most popular matches first.",
    permission: "search:read",
    query: SearchQuery,
    response: SearchResponse,
    present: { reference: searchReference, console: searchConsole },
    cached: true,
    examples: { success: { parameters: { q: "midnight", limit: 2 } }, invalid: { parameters: { type: "beats" } } },
    handle: ({ server, query }) => searchPage(server, catalogueOn(server), totals, query),
  }),
];

async function searchPage(
  { query }: ReadServer,
  catalogue: BeatCatalogue,
  totals: SearchTotals,
  request: SearchRequest,
): Promise<Page<Hit>> {
  const { hits, total } = await search(query, request, { onCommonWord: (word) => totals.enqueue(word) });
  const idsOf = (kind: Hit["kind"]) => hits.filter((hit) => hit.kind === kind).map(({ id }) => id);
  const [beats, producers] = await Promise.all([
    catalogue.beats(idsOf("beat")),
    findProducers(query, idsOf("producer")),
  ]);
  const items = hits.flatMap(({ kind, id }): Hit[] => {
    const beat = beats.get(id);
    const producer = producers.get(id);
    if (kind === "beat") return beat === undefined ? [] : [{ kind, beat }];
    return producer === undefined ? [] : [{ kind, producer }];
  });
  return countedPage(items, { ...request, total });
}
