import { consoleMeta } from "../../http/pagination.ts";
import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import { listedConsole } from "../beats/console.ts";
import { reduced } from "../beats/filters/fields.ts";
import { producerConsole } from "../users/console.ts";
import type { SearchPage } from "./search-page.ts";
import { searchExtras } from "./wire.ts";

/** The hits in one list, best first. `type` is beat or producer; without it a hit could not be told. */
export const searchConsole = (page: SearchPage, context: PresenterContext) => ({
  data: page.items.map((hit) =>
    hit.kind === "beat"
      ? { type: "beat", ...listedConsole(hit.beat, page.fields, context) }
      : { type: "producer", ...reduced(producerConsole(hit.producer), page.fields) },
  ),
  meta: { ...consoleMeta(page), ...searchExtras(page) },
});
