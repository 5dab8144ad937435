import Type from "typebox";
import { notBlank } from "../../http/input/text-patterns.ts";
import { pageParameters, ReferencePagination } from "../../http/pagination.ts";
import type { ResponseSchemas } from "../../http/pipeline/api-route.ts";
import { consoleBeatFields } from "../beats/console.ts";
import { ReferenceBeat } from "../beats/schema.ts";
import { consoleProducerFields, ReferenceProducer } from "../users/schema.ts";

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: notBlank,
    description:
      "What to look for. Every word must match; the last one may be unfinished. Accents and case are ignored, and words of four letters or more forgive typing errors.",
  }),
  type: Type.Enum(["beats", "producers", "all"], { default: "all", description: "What to look among." }),
  ...pageParameters(20, 50),
});

export const SearchResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({
    beats: Type.Array(ReferenceBeat),
    producers: Type.Array(ReferenceProducer),
    pagination: ReferencePagination,
  }),
  console: Type.Array(
    Type.Union([
      Type.Object({ type: Type.Literal("beat"), ...consoleBeatFields }, { $id: "ConsoleBeatHit" }),
      Type.Object({ type: Type.Literal("producer"), ...consoleProducerFields }, { $id: "ConsoleProducerHit" }),
    ]),
  ),
  meta: true,
};
