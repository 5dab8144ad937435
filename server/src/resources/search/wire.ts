import type { Interpretation } from "@beatmarket/catalogue-index/query.ts";
import { keyName } from "@beatmarket/foundation/music/musical-key.ts";
import { presentFacets } from "../beats/filters/facets.ts";
import type { SearchPage } from "./search-page.ts";

/** What a search tells beside its hits, alike in both forms (docs/api/search.md, What is understood). */
export const searchExtras = ({ totals, interpretation, facets }: SearchPage) => ({
  totals,
  ...(interpretation && { interpreted: interpreted(interpretation) }),
  ...(facets && { facets: presentFacets(facets) }),
});

/** In the names of parameters, so that it can be sent as it stands. */
const interpreted = ({ text, bpm, keys, corrected, ignored }: Interpretation) => ({
  q: text,
  ...(bpm?.min !== undefined && { bpm_min: bpm.min }),
  ...(bpm?.max !== undefined && { bpm_max: bpm.max }),
  ...(keys && { key: keys.map(keyName).join(",") }),
  ...(corrected && { corrected }),
  ...(ignored && { ignored }),
});
