import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import { reduced } from "../beats/filters/fields.ts";
import { listedConsole, listedReference } from "../beats/present.ts";
import { producerConsole, producerReference } from "../users/present.ts";
import type { SearchPage } from "./search-page.ts";
import { searchExtras } from "./wire.ts";

/** The hits by kind, each list in the order of the ranking. */
export const searchReference = (page: SearchPage, context: PresenterContext) => ({
  beats: page.items.flatMap((hit) => (hit.kind === "beat" ? [listedReference(hit.beat, page.fields, context)] : [])),
  producers: page.items.flatMap((hit) =>
    hit.kind === "producer" ? [reduced(producerReference(hit.producer), page.fields)] : [],
  ),
  pagination: referencePagination(page, context),
  ...searchExtras(page),
});

/** The hits in one list, best first. `type` is beat or producer; without it a hit could not be told. */
export const searchConsole = (page: SearchPage, context: PresenterContext) => ({
  data: page.items.map((hit) =>
    hit.kind === "beat"
      ? { type: "beat", ...listedConsole(hit.beat, page.fields, context) }
      : { type: "producer", ...reduced(producerConsole(hit.producer), page.fields) },
  ),
  meta: { ...consoleMeta(page), ...searchExtras(page) },
});
