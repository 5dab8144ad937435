import Type, { type Static } from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { beatStatuses } from "../../resources/beats/state.ts";
import { restoreBeat, takeDownBeat } from "../../resources/takedowns/take-down.ts";
import { listTakedowns, type OperatorsBeat, searchBeats, type Takedown } from "../../resources/takedowns/takedowns.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import {
  AccountReference,
  accountReferences,
  before,
  closed,
  iso,
  listLimit,
  next,
  orNull,
  pageOf,
  reason,
  text,
  time,
  timeOrNull,
} from "./shapes.ts";

const tag = "Operate";
const BeatId = Type.Object({ beat_id: Type.Integer({ description: "Identifier of the beat." }) });

const AdminTakedown = Type.Object(
  {
    reason: Type.String(),
    withdraws_files: Type.Boolean({ description: "Whether buyers can no longer download the beat's files." }),
    taken_down_at: time,
    answer: orNull(Type.String(), "The producer's answer to the takedown. Null if there is none."),
    answered_at: timeOrNull("When the producer answered. Null if there is no answer."),
    restored_at: timeOrNull("When the takedown ended. Null while it is in force."),
  },
  { $id: "AdminTakedown", ...closed },
);

const AdminBeat = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    producer: AccountReference,
    producer_name: Type.String(),
    status: Type.Enum([...beatStatuses], { description: "The status that the producer sees." }),
    is_taken_down: Type.Boolean(),
    orders: Type.Integer({ description: "The number of completed orders that are not refunded in full." }),
    takedowns: Type.Array(AdminTakedown, { description: "The newest takedown comes first." }),
  },
  { $id: "AdminBeat", ...closed },
);

const AdminBeats = Type.Object(
  { beats: Type.Array(AdminBeat), next },
  { ...closed, description: "The newest beat comes first." },
);

/** The beats of all producers, and takedowns. */
export const adminBeatRoutes = (publicUrl: string): PortalRoute[] => [
  operatorRoute({
    operationId: "listAdminBeats",
    method: "GET",
    path: "/admin/beats",
    tag,
    summary: "Find beats that were ever published by id, title or producer, newest first",
    query: Type.Object({
      q: text(200, "An id, or a part of the title or of the producer's name."),
      producer: Type.Optional(Type.Integer({ description: "Only beats of this account." })),
      taken_down: Type.Optional(
        Type.Boolean({ description: "true: only beats that are taken down. false: only the others." }),
      ),
      before,
    }),
    response: AdminBeats,
    handle: async ({ db, query: { q: search, producer: producerId, taken_down: isTakenDown, before: beforeId } }) => {
      const page = pageOf(await searchBeats(db, { search, producerId, isTakenDown, beforeId, limit: listLimit + 1 }));
      return { beats: await beatsJson(db, page.items), next: page.next };
    },
  }),
  operatorRoute({
    operationId: "takeDownBeat",
    method: "POST",
    path: "/admin/beats/:beat_id/takedown",
    tag,
    summary: "Take a beat down: remove it from every list, page and sale, and mail the producer the reason",
    params: BeatId,
    body: Type.Object({
      reason,
      withdraw_files: Type.Boolean({
        default: false,
        description: "Whether buyers lose access to the files of the beat; they get a mail with the reason.",
      }),
    }),
    response: AdminBeat,
    refusals: [409],
    changesContent: () => true,
    handle: async ({ db, clock, params: { beat_id: beatId }, body, author }) => {
      const request = { beatId, reason: body.reason, withdrawFiles: body.withdraw_files, author };
      await takeDownBeat({ db, clock, publicUrl }, request);
      return beatJson(db, beatId);
    },
  }),
  operatorRoute({
    operationId: "restoreBeat",
    method: "POST",
    path: "/admin/beats/:beat_id/restore",
    tag,
    summary: "End a takedown and mail the producer; the beat returns to the state that it would have without it",
    params: BeatId,
    body: Type.Object({ reason }),
    response: AdminBeat,
    refusals: [409],
    changesContent: () => true,
    handle: async ({ db, clock, params: { beat_id: beatId }, body, author }) => {
      await restoreBeat({ db, clock, publicUrl }, { beatId, reason: body.reason, author });
      return beatJson(db, beatId);
    },
  }),
];

async function beatJson(db: Queryable, beatId: number): Promise<Static<typeof AdminBeat>> {
  const [beat] = await beatsJson(db, await searchBeats(db, { beatId, limit: 1 }));
  if (beat === undefined) throw new Error(`Beat ${beatId} is gone.`);
  return beat;
}

async function beatsJson(db: Queryable, beats: readonly OperatorsBeat[]): Promise<Static<typeof AdminBeat>[]> {
  const takedowns = await listTakedowns(
    db,
    beats.map(({ id }) => id),
  );
  const accountOf = await accountReferences(
    db,
    beats.map(({ producer_id }) => producer_id),
  );
  return beats.map(({ id, title, producer_id, producer_name, status, is_taken_down, orders }) => ({
    id,
    title,
    producer: accountOf(producer_id),
    producer_name,
    status,
    is_taken_down,
    orders,
    takedowns: takedowns.filter(({ beat_id }) => beat_id === id).map(takedownJson),
  }));
}

const takedownJson = ({ reason, withdraws_files, taken_down_at, answer, answered_at, restored_at }: Takedown) => ({
  reason,
  withdraws_files,
  answer,
  taken_down_at: taken_down_at.toISOString(),
  answered_at: iso(answered_at),
  restored_at: iso(restored_at),
});
