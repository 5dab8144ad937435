import { ApiError, conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { money } from "@beatmarket/http/formats.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import Type, { type Static } from "typebox";
import { type LicenseSettings, settingsOf } from "../licensing/settings.ts";
import { editVersionOf, type SingleBeat } from "../production.ts";
import { statusOf, wasPublished } from "../state.ts";
import { changeBeat } from "./change-beat.ts";
import { type EditContext, lockOwnBeat, type OwnRequest } from "./own-beats.ts";
import { tagsOf } from "./read-fields.ts";
import { BeatChanges } from "./schema.ts";
import { withdrawBeat } from "./withdraw-beat.ts";

const maxEdits = 100;
const maxTags = 20;
const someTags = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: maxTags, uniqueItems: true });
const closed = { additionalProperties: false };

const BeatEdit = Type.Object({
  beat_id: Type.Integer({ minimum: 1 }),
  edit_version: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "The `edit_version` that the beat must have; otherwise the edit is refused.",
    }),
  ),
  action: Type.Optional(
    Type.Enum(["change", "withdraw", "delete"], {
      description:
        "What to do with the beat. Default: `change`. `withdraw` takes it off sale, or stops its publishing. `delete` deletes a draft that was never on sale.",
    }),
  ),
  changes: Type.Optional(BeatChanges),
  add_tags: Type.Optional(someTags),
  remove_tags: Type.Optional(someTags),
});
export type BeatEdit = Static<typeof BeatEdit>;

export const BeatEdits = Type.Object({ edits: Type.Array(BeatEdit, { minItems: 1, maxItems: maxEdits }) });

const EditResult = Type.Object(
  {
    beat_id: Type.Integer(),
    reason: Type.Union([Type.String(), Type.Null()], { description: "Why the edit was refused. Null if it was made." }),
    undo: Type.Union([BeatEdit, Type.Null()], { description: "The edit that undoes this one. Null if there is none." }),
  },
  closed,
);
export const BeatEditsResponse = Type.Object(
  { results: Type.Array(EditResult, { description: "The results, in the order of the edits." }) },
  closed,
);

/**
 * Edits many of the account's beats, each in a transaction of its own. The result of a refused edit has the reason.
 */
export async function editBeats(
  context: EditContext,
  request: OwnRequest,
  edits: readonly BeatEdit[],
): Promise<Static<typeof BeatEditsResponse>> {
  const results: Static<typeof EditResult>[] = [];
  for (const edit of edits)
    try {
      results.push({ beat_id: edit.beat_id, reason: null, undo: await applyEdit(context, request, edit) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      results.push({ beat_id: edit.beat_id, reason: error.details, undo: null });
    }
  return { results };
}

/** Makes an edit. Returns the edit that undoes it; null if nothing can undo it, or nothing changed. */
const applyEdit = (outer: EditContext, request: OwnRequest, edit: BeatEdit): Promise<BeatEdit | null> =>
  transact(outer.db, async (transaction) => {
    const context = { ...outer, db: transaction };
    const before = await lockOwnBeat(transaction, edit.beat_id, request.userId);
    const ifMatch = edit.edit_version === undefined ? undefined : `"v${edit.edit_version}-"`;
    const target = { ...request, beatId: before.id, ifMatch };
    const status = statusOf(before);
    if (edit.action === "delete") {
      if (wasPublished(before))
        throw conflict(`Beat ${before.id} has been on sale, so it is not deleted; withdraw it.`);
      await withdrawBeat(context, target);
      return null;
    }
    if (edit.action === "withdraw") {
      if (status === "draft" || status === "withdrawn") throw conflict(`Beat ${before.id} is not on sale.`);
      if (wasPublished(before)) await withdrawBeat(context, target);
      else await changeBeat(context, target, { status: "draft" });
      return { beat_id: before.id, action: "change", changes: { status: "published" } };
    }
    const changes = changesOf(before, edit);
    const after = await changeBeat(context, target, changes);
    if (editVersionOf(after) === editVersionOf(before)) return null;
    // Publishing continues in the background and counts as an edit, so the undo of a publishing names no version.
    return changes.status === "published"
      ? { beat_id: before.id, action: "withdraw" }
      : {
          beat_id: before.id,
          edit_version: editVersionOf(after),
          action: "change",
          changes: previousValues(before, changes),
        };
  });

function changesOf(before: SingleBeat, { changes = {}, add_tags, remove_tags }: BeatEdit): BeatChanges {
  if (add_tags === undefined && remove_tags === undefined) return changes;
  const removedTags = new Set(tagsOf(remove_tags ?? []).map((tag) => tag.toLowerCase()));
  const remaining = before.tags.filter((tag) => !removedTags.has(tag.toLowerCase()));
  const tags = tagsOf([...remaining, ...(add_tags ?? [])]);
  if (tags.length > maxTags)
    throw invalidRequest(
      `The tags field would have ${tags.length} tags of at most ${maxTags}; remove some first.`,
      "tags",
    );
  return { ...changes, tags };
}

/** The previous values of the fields that an edit names. */
function previousValues(before: SingleBeat, changes: BeatChanges): BeatChanges {
  const { production } = before;
  return {
    ...(changes.title !== undefined && { title: before.title }),
    ...(changes.genre !== undefined && { genre: before.genre_id }),
    ...((changes.price !== undefined || changes.license_prices !== undefined) && {
      price: money(before.price_cents),
      license_prices: {
        premium: money(before.premium_price_cents),
        unlimited: money(before.unlimited_price_cents),
        exclusive: money(before.exclusive_price_cents),
      },
    }),
    ...(changes.license_settings !== undefined && { license_settings: settingsOf(before) }),
    ...(changes.free_download !== undefined && { free_download: before.has_free_download }),
    ...(changes.tags !== undefined && { tags: before.tags }),
    ...(changes.description !== undefined && { description: before.description === "" ? null : before.description }),
    ...(changes.bpm !== undefined && { bpm: production?.bpm_source === "producer" ? before.tempo : null }),
    ...(changes.key !== undefined && { key: production?.key_source === "producer" ? before.key : null }),
    ...(changes.status === "draft" && { status: "published" as const }),
  };
}

/** Limited, because the producer waits for the response, and each beat takes a transaction. */
const maxBeats = 2_000;

/**
 * Gives all beats of a producer the same licenses. Returns the ids of frozen beats, which stay unchanged, and in
 * `changed` the number of all other beats. Throws 409 for more beats than one request may change.
 */
export async function changeAllLicenses(
  context: EditContext,
  request: OwnRequest,
  change: { settings: LicenseSettings; hasFreeDownload: boolean },
): Promise<{ changed: number; frozen: number[] }> {
  const beats = await context.db
    .selectFrom("beats")
    .leftJoin("beat_productions", "beat_id", "beats.id")
    .select([
      "beats.id",
      // The service has no tagged MP3 of a beat for which this is false.
      sql<boolean>`(beat_id is not null or audio_url is null) and preview_tag is distinct from 'none'`.as(
        "can_be_free",
      ),
    ])
    .where("user_id", "=", request.userId)
    .orderBy("beats.id")
    .limit(maxBeats + 1)
    .execute();
  if (beats.length > maxBeats)
    throw conflict(`You have more than ${maxBeats} beats; change their licenses by the API, a beat at a time.`);
  const frozen: number[] = [];
  for (const { id, can_be_free } of beats) {
    const changes = { license_settings: change.settings, free_download: change.hasFreeDownload && can_be_free };
    await changeBeat(context, { ...request, beatId: id, ifMatch: undefined }, changes).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      frozen.push(id);
    });
  }
  return { changed: beats.length - frozen.length, frozen };
}
