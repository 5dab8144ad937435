import { consoleMeta } from "../../http/pagination.ts";
import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import type { Page } from "../../listing/page.ts";
import { beatConsole } from "../beats/console.ts";
import { producerConsole } from "../users/console.ts";
import type { Hit } from "./hit.ts";

/** The hits in one list, best first. `type` is beat or producer. */
export const searchConsole = (page: Page<Hit>, context: PresenterContext) => ({
  data: page.items.map((hit) =>
    hit.kind === "beat"
      ? { type: "beat", ...beatConsole(hit.beat, context) }
      : { type: "producer", ...producerConsole(hit.producer) },
  ),
  meta: consoleMeta(page),
});
