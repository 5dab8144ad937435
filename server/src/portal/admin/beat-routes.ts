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
    withdraws_files: Type.Boolean({ description: "Buyers cannot download its files." }),
    taken_down_at: time,
    answer: orNull(Type.String(), "What the producer says to it; null without an answer."),
    answered_at: timeOrNull("Null without an answer."),
    restored_at: timeOrNull("Null while it stands."),
  },
  { $id: "AdminTakedown", ...closed },
);

const AdminBeat = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    producer: AccountReference,
    producer_name: Type.String(),
    status: Type.Enum([...beatStatuses], { description: "As its producer sees it." }),
    is_taken_down: Type.Boolean(),
    orders: Type.Integer({ description: "Completed and not refunded in full." }),
    takedowns: Type.Array(AdminTakedown, { description: "Newest first." }),
  },
  { $id: "AdminBeat", ...closed },
);

const AdminBeats = Type.Object({ beats: Type.Array(AdminBeat), next }, { ...closed, description: "Newest first." });

/** The beats of all producers, and takedowns. */
export const adminBeatRoutes = (publicUrl: string): PortalRoute[] => [
  operatorRoute({
    operationId: "listAdminBeats",
    method: "GET",
    path: "/admin/beats",
    tag,
    summary: "Beats that were ever published, by id, title or producer, newest first",
    query: Type.Object({
      q: text(200, "An id, or a part of the title or the producer's name."),
      producer: Type.Optional(Type.Integer({ description: "Only of this account." })),
      taken_down: Type.Optional(Type.Boolean({ description: "Only those that are taken down, or are not." })),
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
    summary: "Take a beat off every list, page and sale; its producer gets a mail with the reason",
    params: BeatId,
    body: Type.Object({
      reason,
      withdraw_files: Type.Boolean({
        default: false,
        description: "Buyers cannot download its files any more, and get a mail with the reason.",
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
    summary: "End a takedown: the beat is where it would be without it; its producer gets a mail",
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
