import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { ChangeFeed } from "./feed.ts";
import { changesConsole, changesReference } from "./present.ts";
import { ChangesQuery, ChangesResponse } from "./schema.ts";

export const changeRoutes = (feed: ChangeFeed) => [
  route({
    operationId: "listChanges",
    client: "changes.list",
    method: "GET",
    path: "/changes",
    tag: "Changes",
    summary: "List changes of the catalogue",
    description:
      "Every change of a listed beat, in the order of commits, none skipped or doubled: what keeps a copy of the catalogue true. Begin with an export, then pass `next` as `after`; with `wait`, the response comes as soon as something changes. A change is kept for 30 days.",
    permission: "beats:read",
    query: ChangesQuery,
    response: ChangesResponse,
    present: { reference: changesReference, console: changesConsole },
    waits: true,
    gone: "Changes behind `after` are no longer kept. Take an export, and go on from its position.",
    examples: {
      success: { parameters: { limit: 2 } },
      invalid: { parameters: { after: "yesterday" } },
    },
    handle: (call) => feed.page(call),
  }),
];
