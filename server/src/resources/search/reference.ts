import { referencePagination } from "../../http/pagination.ts";
import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import { reduced } from "../beats/filters/fields.ts";
import { listedReference } from "../beats/reference.ts";
import { producerReference } from "../users/reference.ts";
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
