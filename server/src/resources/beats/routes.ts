import type { ReadServer } from "../../database/connection/connect.ts";
import { route } from "../../http/pipeline/api-route.ts";
import type { BeatCatalogue } from "./catalogue/beat-catalogue.ts";
import { beatDetailConsole, beatsConsole, similarConsole } from "./console.ts";
import { beatDetailReference, beatsReference, similarReference } from "./reference.ts";
import { BeatId, BeatResponse, BeatsQuery, BeatsResponse, SimilarQuery, SimilarResponse } from "./schema.ts";
import { findSimilarBeats } from "./similar/similar-queries.ts";

export const beatRoutes = (catalogueOn: (server: ReadServer) => BeatCatalogue) => [
  route({
    operationId: "listBeats",
    client: "beats.list",
    method: "GET",
    path: "/beats",
    tag: "Beats",
    summary: "List beats",
    description: "Every beat on sale, one page at a time. Follow `next_page_url` to walk all of them.",
    permission: "beats:read",
    query: BeatsQuery,
    response: BeatsResponse,
    present: { reference: beatsReference, console: beatsConsole },
    cached: true,
    examples: {
      success: { parameters: { genre: 3, sort: "popular", limit: 2 } },
      invalid: { parameters: { genre: "trap" } },
    },
    handle: ({ server, query }) =>
      catalogueOn(server).page({ ...query, genre: query.genre?.[0], producer: query.producer?.[0] } as never),
  }),
  route({
    operationId: "getBeat",
    client: "beats.get",
    method: "GET",
    path: "/beats/:beat_id",
    tag: "Beats",
    summary: "Get one beat",
    description: "A beat with its description, tags and licenses. A beat whose exclusive license is sold still opens.",
    permission: "beats:read",
    params: BeatId,
    response: BeatResponse,
    present: { reference: beatDetailReference, console: beatDetailConsole },
    cached: true,
    examples: {
      success: { parameters: { beat_id: 1 } },
      invalid: { parameters: { beat_id: "first" } },
      missing: { parameters: { beat_id: 999999 } },
    },
    handle: ({ server, params }) => catalogueOn(server).beat(params.beat_id),
  }),
  route({
    operationId: "listSimilarBeats",
    client: "beats.similar",
    method: "GET",
    path: "/beats/:beat_id/similar",
    tag: "Beats",
    summary: "List similar beats",
    description:
      "The beats most like the given one, best first, by genre, tempo (octaves folded), key on the circle of fifths, and lesser factors. `similarity` explains each choice.",
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
    handle: ({ db, server, params, query }) => findSimilarBeats(db, catalogueOn(server), params.beat_id, query.limit),
  }),
];
