import { maxWaitSeconds } from "@beatmarket/http/long-polls.ts";
import { type PresenterContext, type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { beatDetailConsole, beatDetailReference } from "../beats/present.ts";
import { ConsoleBeatDetail, ReferenceBeatDetail } from "../beats/schema.ts";
import type { ChangeFeed } from "./feed.ts";
import { type Changes, changeTypes } from "./queries.ts";

const ChangesQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Only changes after this position: the `next` of the last response, or the `X-Change-Position` of an export. Without it, from the oldest change that is kept.",
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "Changes per response." }),
  wait: Type.Integer({
    minimum: 0,
    maximum: maxWaitSeconds,
    default: 0,
    description: "Seconds to wait for the first change when there is none. The response comes as soon as there is one.",
  }),
});

const changesOf = (beat: typeof ReferenceBeatDetail | typeof ConsoleBeatDetail, id: string) =>
  Type.Object({
    changes: Type.Array(
      Type.Object(
        {
          position: Type.Integer({ description: "Increases from change to change; there may be gaps." }),
          type: Type.Enum([...changeTypes]),
          beat_id: Type.Integer(),
          beat: Type.Union([beat, Type.Null()], {
            description:
              "The beat as it is now, in the form of `GET /beats/{beat_id}`; null when it is withdrawn now, and in every change of type `withdrawn`.",
          }),
        },
        { $id: id, description: "A change of a listed beat." },
      ),
    ),
    next: Type.Integer({ description: "The position to continue from, as `after` of the next call." }),
  });

const ChangesResponse: ResponseSchemas = {
  status: 200,
  reference: changesOf(ReferenceBeatDetail, "Change"),
  console: changesOf(ConsoleBeatDetail, "ConsoleChange"),
};

/** Changes in the reference form (docs/api/changes.md). */
const changesReference = ({ changes, next }: Changes, context: PresenterContext) => ({
  changes: changes.map(({ position, type, beatId, beat }) => ({
    position,
    type,
    beat_id: beatId,
    beat: beat && beatDetailReference(beat, context).beat,
  })),
  next,
});

/** Changes in the console form: the reference form with beats in theirs. */
const changesConsole = ({ changes, next }: Changes, context: PresenterContext) => ({
  data: {
    changes: changes.map(({ position, type, beatId, beat }) => ({
      position,
      type,
      beat_id: beatId,
      beat: beat && beatDetailConsole(beat, context).data,
    })),
    next,
  },
});

export const changeRoutes = (feed: ChangeFeed) => [
  route({
    operationId: "listChanges",
    client: "changes.list",
    method: "GET",
    path: "/changes",
    tag: "Changes",
    summary: "List changes of the catalogue",
    description:
      "Every change of a listed beat, in the order of commits, none skipped or doubled. It keeps a copy of the catalogue up to date. Begin with an export, then pass `next` as `after`; with `wait`, the response comes as soon as something changes. A change is kept for 30 days.",
    permission: "beats:read",
    query: ChangesQuery,
    response: ChangesResponse,
    present: { reference: changesReference, console: changesConsole },
    waits: true,
    gone: "Changes after `after` are no longer kept. Download an export, and continue from its position.",
    examples: {
      success: { parameters: { limit: 2 } },
      invalid: { parameters: { after: "yesterday" } },
    },
    handle: (call) => feed.page(call),
  }),
];
