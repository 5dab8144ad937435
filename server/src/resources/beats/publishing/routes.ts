import { route } from "@beatmarket/http/pipeline/api-route.ts";
import { ownBeatsConsole, ownBeatsReference, singleBeatConsole, singleBeatReference } from "../present.ts";
import { editVersionOf, type SingleBeat } from "../production.ts";
import { BeatId } from "../schema.ts";
import { wasPublished } from "../state.ts";
import { changeBeat } from "./change-beat.ts";
import { createBeat } from "./create-beat.ts";
import { type EditContext, listOwnBeats, type ShownBeat } from "./own-beats.ts";
import {
  BeatChanges,
  BeatCreatedResponse,
  BeatFields,
  OwnBeatResponse,
  OwnBeatsQuery,
  OwnBeatsResponse,
} from "./schema.ts";
import { withdrawBeat } from "./withdraw-beat.ts";

/** An upload in the demo catalogue of the contract tests. */
const exampleUpload = "upl_0000000000000000000009";

const present = { reference: singleBeatReference, console: singleBeatConsole };
const asOwn = (beat: SingleBeat): ShownBeat => ({ beat, isOwn: true });

export const editVersion = ({ beat, isOwn }: ShownBeat): number | null => (isOwn ? editVersionOf(beat) : null);

export const publishingRoutes = (context: EditContext) => [
  route({
    operationId: "listOwnBeats",
    client: "users.my_beats",
    method: "GET",
    path: "/users/me/beats",
    tag: "Beats",
    summary: "List your beats",
    description:
      "Returns the beats of the key's account in every state, drafts included, newest first, one page at a time.",
    permission: "beats:write",
    query: OwnBeatsQuery,
    response: OwnBeatsResponse,
    present: { reference: ownBeatsReference, console: ownBeatsConsole },
    examples: {
      success: { parameters: { status: "draft", limit: 2 } },
      invalid: { parameters: { status: "sold" } },
    },
    handle: ({ db, caller, query }) => listOwnBeats(db, { ...query, userId: caller.userId }),
  }),
  route({
    operationId: "createBeat",
    client: "beats.create",
    method: "POST",
    path: "/beats",
    tag: "Beats",
    summary: "Create a beat",
    description:
      "Creates a beat from an upload. The beat is a draft that only you see; with `status` `published`, it goes on sale as soon as its files are processed. A repeated request with the same `Idempotency-Key` creates one beat.",
    permission: "beats:write",
    body: BeatFields,
    response: BeatCreatedResponse,
    present,
    // A draft is in no public response, and publishing happens later.
    changesContent: () => false,
    idempotent: true,
    editVersion,
    location: ({ beat }) => `/beats/${beat.id}`,
    examples: {
      success: {
        body: {
          title: "Harbour Lights",
          genre: "Ambient",
          audio: exampleUpload,
          price: 29.9,
          tags: ["warm", "night"],
        },
      },
      invalid: { body: { title: "Harbour Lights", genre: "Ambient", price: 29.9 } },
      conflict: {
        headers: { "idempotency-key": "an-earlier-purchase" },
        body: { title: "Harbour Lights", genre: "Ambient", audio: exampleUpload, price: 29.9 },
      },
    },
    handle: async ({ caller, body, idempotencyRun }) =>
      asOwn(await createBeat(context, { userId: caller.userId, run: idempotencyRun, fields: body })),
  }),
  route({
    operationId: "updateBeat",
    client: "beats.update",
    method: "PATCH",
    path: "/beats/:beat_id",
    tag: "Beats",
    summary: "Change one of your beats",
    description:
      "Changes one of your beats, on sale or not. An omitted field stays as it is; null clears it. New files replace the old ones once they are processed. With `If-Match`, the beat changes only if it has not changed since. A repeated request with the same `Idempotency-Key` gets the first response.",
    permission: "beats:write",
    params: BeatId,
    body: BeatChanges,
    response: OwnBeatResponse,
    present,
    changesContent: ({ beat }) => beat.is_listed,
    conditional: true,
    idempotent: true,
    editVersion,
    examples: {
      success: { parameters: { beat_id: 501 }, body: { title: "Harbour Lights II", price: 34.9 } },
      invalid: { parameters: { beat_id: 501 }, body: { title: "" } },
      missing: { parameters: { beat_id: 999999 }, body: { title: "Harbour Lights II" } },
      conflict: { parameters: { beat_id: 502 }, body: { price: 34.9 } },
      changed: { parameters: { beat_id: 501 }, headers: { "if-match": '"v0-gone"' }, body: { price: 34.9 } },
    },
    handle: async ({ caller, requestId, params, body, idempotencyRun, context: { requestHeaders } }) =>
      asOwn(
        await changeBeat(
          context,
          {
            beatId: params.beat_id,
            userId: caller.userId,
            requestId,
            ifMatch: requestHeaders["if-match"],
            run: idempotencyRun,
          },
          body,
        ),
      ),
  }),
  route({
    operationId: "withdrawBeat",
    client: "beats.withdraw",
    method: "DELETE",
    path: "/beats/:beat_id",
    tag: "Beats",
    summary: "Withdraw one of your beats",
    description:
      "Takes one of your beats off sale and returns it. Buyers keep their licenses. `updateBeat` with `status` `published` puts it on sale again. A beat that was never on sale is deleted.",
    permission: "beats:write",
    params: BeatId,
    response: OwnBeatResponse,
    present,
    changesContent: ({ beat }) => wasPublished(beat),
    conditional: true,
    idempotent: true,
    editVersion,
    examples: {
      success: { parameters: { beat_id: 503 } },
      invalid: { parameters: { beat_id: "latest" } },
      missing: { parameters: { beat_id: 999999 } },
      conflict: { parameters: { beat_id: 502 } },
      changed: { parameters: { beat_id: 503 }, headers: { "if-match": '"v0-gone"' } },
    },
    handle: async ({ caller, requestId, params, idempotencyRun, context: { requestHeaders } }) =>
      asOwn(
        await withdrawBeat(context, {
          beatId: params.beat_id,
          userId: caller.userId,
          requestId,
          ifMatch: requestHeaders["if-match"],
          run: idempotencyRun,
        }),
      ),
  }),
];
