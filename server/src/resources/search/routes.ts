import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import { notBlank } from "@beatmarket/http/input/text-patterns.ts";
import { consoleMetaWith, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import { type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import type { ReadServer } from "../../database/connect.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import {
  beatSorts,
  Facets,
  facetsParameter,
  fieldsParameter,
  filterParameters,
  readFields,
} from "../beats/filters/parameters.ts";
import { consoleBeatFields } from "../beats/present.ts";
import { beatFieldNames, optionalDetails, ReferenceBeat } from "../beats/schema.ts";
import { consoleProducerFields, ReferenceProducer } from "../users/present.ts";
import { requireNoBeatParameters, searchConsole, searchPage, searchReference } from "./search-page.ts";

const pages = pageParameters(20, 50);

const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: notBlank,
    description:
      "The search text: words of titles, producers, genres and tags, tempos (`140 bpm`, `138-142`, `trap 140`), keys (`a minor`, `8A`) and prices (`under $20`). The last word may be incomplete. Accents, case and typing errors are ignored.",
  }),
  type: Type.Enum(["beats", "producers", "all"], { default: "all", description: "The types to search." }),
  page: pages.page,
  limit: { ...pages.limit, description: "The largest number of beats, and of producers, on a page." },
  ...filterParameters,
  sort: Type.Enum(["relevance", ...beatSorts], { default: "relevance", description: "The order of the beats." }),
  ...facetsParameter,
  ...fieldsParameter,
  interpret: Type.Boolean({
    default: true,
    description: "Whether tempos, keys and prices in `q` become filters. With false, they are words like any other.",
  }),
});

/** The field names that the `fields` parameter may contain, by form. */
const searchFieldNames = {
  reference: [...new Set([...beatFieldNames.reference, ...Object.keys(ReferenceProducer.properties)])],
  console: [...new Set(["type", ...beatFieldNames.console, ...Object.keys(consoleProducerFields)])],
};

const searchExtras = {
  totals: Type.Object(
    { beats: Type.Integer({ minimum: 0 }), producers: Type.Integer({ minimum: 0 }) },
    { description: "The number of results of each type." },
  ),
  interpreted: Type.Optional(
    Type.Object(
      {
        q: Type.String({ description: "The words of the search." }),
        bpm_min: Type.Optional(Type.Integer({ minimum: 1 })),
        bpm_max: Type.Optional(Type.Integer({ minimum: 1 })),
        key: Type.Optional(Type.String({ description: "The key, in the form of the parameter `key`." })),
        price_min: Type.Optional(Type.Number({ minimum: 0 })),
        price_max: Type.Optional(Type.Number({ minimum: 0 })),
        widened: Type.Optional(
          Type.Unsafe<Record<string, string>>({
            type: "object",
            additionalProperties: { type: "string" },
            description:
              "The typed tempo and the wider range that was searched instead, because nothing matches the tempo together with the rest.",
          }),
        ),
        corrected: Type.Optional(
          Type.Unsafe<Record<string, string>>({
            type: "object",
            additionalProperties: { type: "string" },
            description: "The corrected words, each with its replacement.",
          }),
        ),
        ignored: Type.Optional(
          Type.Array(Type.String(), {
            description:
              "The parts of the search text that were ignored, because nothing matches them together with the rest.",
          }),
        ),
      },
      {
        description:
          "How the service read `q`: the words that it searched, and the filters that it recognised, named like the parameters. Absent with `interpret=false`.",
      },
    ),
  ),
  facets: Type.Optional(Facets),
};

const SearchResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({
    beats: Type.Array(ReferenceBeat),
    producers: Type.Array(ReferenceProducer),
    pagination: ReferencePagination,
    ...searchExtras,
  }),
  console: Type.Array(
    Type.Union([
      Type.Object({ type: Type.Literal("beat"), ...consoleBeatFields, ...optionalDetails }, { $id: "ConsoleBeatHit" }),
      Type.Object({ type: Type.Literal("producer"), ...consoleProducerFields }, { $id: "ConsoleProducerHit" }),
    ]),
  ),
  meta: consoleMetaWith(searchExtras, "ConsoleSearchMeta"),
};

export const searchRoutes = (catalogueOn: (server: ReadServer) => BeatCatalogue, index: CatalogueQueries) => [
  route({
    operationId: "search",
    client: "search",
    method: "GET",
    path: "/search",
    tag: "Search",
    summary: "Search beats and producers",
    description:
      "Returns the best matching beats and producers, up to `limit` of each. Tempos, keys and prices in the text become filters; `interpreted` names them. Totals are exact; `last_page` is the last page of the longer list.",
    permission: "search:read",
    query: SearchQuery,
    response: SearchResponse,
    present: { reference: searchReference, console: searchConsole },
    cached: true,
    examples: {
      success: { parameters: { q: "midnight 134 bpm", limit: 2 } },
      invalid: { parameters: { type: "beats" } },
    },
    handle: async ({ server, query, context }) => {
      if (query.type === "producers") requireNoBeatParameters(new URLSearchParams(context.query).keys());
      const fields = readFields(query.fields, searchFieldNames[context.form]);
      return searchPage({ index, catalogue: catalogueOn(server) }, query, fields);
    },
  }),
];
