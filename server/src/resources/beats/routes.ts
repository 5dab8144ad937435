import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { Queryable, ReadServer } from "../../database/connect.ts";
import type { BeatCatalogue } from "./catalogue/beat-catalogue.ts";
import { readFields } from "./filters/parameters.ts";
import { beatsByIds, findSimilarBeats, listBeats, requireIdsAlone } from "./list-beats.ts";
import {
  beatsConsole,
  beatsReference,
  similarConsole,
  similarReference,
  singleBeatConsole,
  singleBeatReference,
} from "./present.ts";
import { type EditContext, showBeat } from "./publishing/own-beats.ts";
import { editVersion, publishingRoutes } from "./publishing/routes.ts";
import {
  BeatId,
  BeatResponse,
  BeatsQuery,
  BeatsResponse,
  beatFieldNames,
  SimilarQuery,
  SimilarResponse,
} from "./schema.ts";

/** The reads of the catalogue. `primary` is the database with the newest rows of the caller's own beats. */
export const beatReadRoutes = (
  catalogueOn: (server: ReadServer) => BeatCatalogue,
  index: CatalogueQueries,
  primary: Queryable,
) => [
  route({
    operationId: "listBeats",
    client: "beats.list",
    method: "GET",
    path: "/beats",
    tag: "Beats",
    summary: "List beats",
    description: "Returns the beats on sale that match every filter, one page at a time; or beats by their `ids`.",
    permission: "beats:read",
    query: BeatsQuery,
    response: BeatsResponse,
    present: { reference: beatsReference, console: beatsConsole },
    cached: true,
    examples: {
      success: { parameters: { genre: 3, bpm_max: 100, sort: "popular", facets: "bpm", limit: 2 } },
      invalid: { parameters: { genre: "trap" } },
    },
    handle: async ({ server, query, context }) => {
      const fields = readFields(query.fields, beatFieldNames[context.form]);
      const catalogue = catalogueOn(server);
      if (query.ids === undefined) return listBeats({ index, catalogue }, query, fields);
      requireIdsAlone(new URLSearchParams(context.query).keys());
      return beatsByIds(catalogue, query.ids, fields);
    },
  }),
  route({
    operationId: "getBeat",
    client: "beats.get",
    method: "GET",
    path: "/beats/:beat_id",
    tag: "Beats",
    summary: "Get one beat",
    description:
      "Returns a beat with its description, tags and licenses. It also returns a beat whose exclusive license is sold, and your own beats in every state, with their `status`.",
    permission: "beats:read",
    params: BeatId,
    response: BeatResponse,
    present: { reference: singleBeatReference, console: singleBeatConsole },
    cached: true,
    isPersonalFor: ({ hasBeats }) => hasBeats === true,
    editVersion,
    examples: {
      success: { parameters: { beat_id: 1 } },
      invalid: { parameters: { beat_id: "first" } },
      missing: { parameters: { beat_id: 999999 } },
    },
    handle: ({ server, caller, params }) =>
      showBeat({ catalogue: catalogueOn(server), primary }, params.beat_id, caller.userId),
  }),
  route({
    operationId: "listSimilarBeats",
    client: "beats.similar",
    method: "GET",
    path: "/beats/:beat_id/similar",
    tag: "Beats",
    summary: "List similar beats",
    description:
      "Returns the beats most similar to the given one, the most similar first. They are compared by genre, tempo (half and double are near), key on the circle of fifths, and lesser factors. `similarity` explains each choice.",
    permission: "beats:read",
    params: BeatId,
    query: SimilarQuery,
    response: SimilarResponse,
    present: { reference: similarReference, console: similarConsole },
    cached: true,
    examples: {
      success: { parameters: { beat_id: 1, limit: 2 } },
      invalid: { parameters: { beat_id: 1, limit: 21 } },
      missing: { parameters: { beat_id: 999999 } },
    },
    handle: ({ server, params, query }) => findSimilarBeats(index, catalogueOn(server), params.beat_id, query.limit),
  }),
];

export const beatRoutes = (
  catalogueOn: (server: ReadServer) => BeatCatalogue,
  index: CatalogueQueries,
  publishing: EditContext,
) => [...beatReadRoutes(catalogueOn, index, publishing.db), ...publishingRoutes(publishing)];
