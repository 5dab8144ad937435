import { referencePagination } from "../../http/pagination.ts";
import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import type { Page } from "../../listing/page.ts";
import { beatReference } from "../beats/reference.ts";
import { producerReference } from "../users/reference.ts";
import type { Hit } from "./hit.ts";

/** The hits by kind, each list in the order of the ranking. */
export const searchReference = (page: Page<Hit>, context: PresenterContext) => ({
  beats: page.items.flatMap((hit) => (hit.kind === "beat" ? [beatReference(hit.beat, context)] : [])),
  producers: page.items.flatMap((hit) => (hit.kind === "producer" ? [producerReference(hit.producer)] : [])),
  pagination: referencePagination(page, context),
});
