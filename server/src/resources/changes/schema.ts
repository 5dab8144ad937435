import { maxWaitSeconds } from "@beatmarket/http/long-polls.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { ConsoleBeatDetail, ReferenceBeatDetail } from "../beats/schema.ts";
import { changeTypes } from "./change.ts";

export const ChangesQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Only changes behind this position: the `next` of the last response, or the `X-Change-Position` of an export. Without it, from the oldest change that is kept.",
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
          position: Type.Integer({ description: "Rises from change to change; numbers may be left out." }),
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
    next: Type.Integer({ description: "The position to go on from, as `after` of the next call." }),
  });

export const ChangesResponse: ResponseSchemas = {
  status: 200,
  reference: changesOf(ReferenceBeatDetail, "Change"),
  console: changesOf(ConsoleBeatDetail, "ConsoleChange"),
};
