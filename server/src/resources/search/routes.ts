import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { ReadServer } from "../../database/connect.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import { readFields } from "../beats/filters/fields.ts";
import { searchConsole, searchReference } from "./present.ts";
import { SearchQuery, SearchResponse, searchFieldNames } from "./schema.ts";
import { requireNoneOfBeats, searchPage } from "./search-page.ts";

export const searchRoutes = (catalogueOn: (server: ReadServer) => BeatCatalogue, index: CatalogueQueries) => [
  route({
    operationId: "search",
    client: "search",
    method: "GET",
    path: "/search",
    tag: "Search",
    summary: "Search beats and producers",
    description:
      "Beats and producers, best first, up to `limit` of each. Tempos and keys in the text become filters; `interpreted` tells which. Totals are exact; `last_page` is that of the longer list.",
    permission: "search:read",
    query: SearchQuery,
    response: SearchResponse,
    present: { reference: searchReference, console: searchConsole },
    cached: true,
    examples: {
      success: { parameters: { q: "midnight 134 bpm", limit: 2 } },
      invalid: { parameters: { type: "beats" } },
    },
    handle: async ({ db, server, query, context }) => {
      if (query.type === "producers") requireNoneOfBeats(new URLSearchParams(context.query).keys());
      const fields = readFields(query.fields, searchFieldNames[context.form]);
      return searchPage({ index, rows: catalogueOn(server), db }, query, fields);
    },
  }),
];
