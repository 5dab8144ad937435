import type { Interpretation } from "@beatmarket/catalogue-index/query.ts";
import { keyName } from "@beatmarket/foundation/music/musical-key.ts";
import { money } from "@beatmarket/http/formats.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import { presentFacets } from "../beats/filters/facets.ts";
import { reduced } from "../beats/filters/parameters.ts";
import { listedConsole, listedReference } from "../beats/present.ts";
import { producerConsole, producerReference } from "../users/present.ts";
import type { SearchPage } from "./search-page.ts";

/** What a search returns next to its hits, equal in both forms (docs/api/search.md, What is understood). */
const searchExtras = ({ totals, interpretation, facets }: SearchPage) => ({
  totals,
  ...(interpretation && { interpreted: interpreted(interpretation) }),
  ...(facets && { facets: presentFacets(facets) }),
});

/** In the names of parameters, so that it can be sent as it stands. */
const interpreted = ({ text, bpm, keys, priceCents, widened, corrected, ignored }: Interpretation) => ({
  q: text,
  ...(bpm?.min !== undefined && { bpm_min: bpm.min }),
  ...(bpm?.max !== undefined && { bpm_max: bpm.max }),
  ...(keys && { key: keys.map(keyName).join(",") }),
  ...(priceCents?.min !== undefined && { price_min: money(priceCents.min) }),
  ...(priceCents?.max !== undefined && { price_max: money(priceCents.max) }),
  ...(widened && { widened }),
  ...(corrected && { corrected }),
  ...(ignored && { ignored }),
});

/** The hits by kind, each list in the order of the ranking. */
export const searchReference = (page: SearchPage, context: PresenterContext) => ({
  beats: page.items.flatMap((hit) => (hit.kind === "beat" ? [listedReference(hit.beat, page.fields, context)] : [])),
  producers: page.items.flatMap((hit) =>
    hit.kind === "producer" ? [reduced(producerReference(hit.producer), page.fields)] : [],
  ),
  pagination: referencePagination(page, context),
  ...searchExtras(page),
});

/** The hits in one list, best first. `type` is beat or producer; without it the kind of a hit would be unknown. */
export const searchConsole = (page: SearchPage, context: PresenterContext) => ({
  data: page.items.map((hit) =>
    hit.kind === "beat"
      ? { type: "beat", ...listedConsole(hit.beat, page.fields, context) }
      : { type: "producer", ...reduced(producerConsole(hit.producer), page.fields) },
  ),
  meta: { ...consoleMeta(page), ...searchExtras(page) },
});
