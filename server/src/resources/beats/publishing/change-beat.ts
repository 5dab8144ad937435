import { invalidRequest, preconditionFailed } from "@beatmarket/foundation/errors.ts";
import { matchesEditVersion } from "@beatmarket/http/negotiation/entity-tag.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { Analysis } from "../../uploads/upload.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import { beatUpdated, changedFields } from "../beat-events.ts";
import { requireNotFrozen } from "../licensing/exclusive.ts";
import type { LicensePrices } from "../licensing/licenses.ts";
import { type LicenseColumns, withSettings } from "../licensing/settings.ts";
import { analysedTempo, editVersionOf, type Production, type SingleBeat, withAnalysis } from "../production.ts";
import { findSingleBeats } from "../queries.ts";
import { requireTransition, statusAfterEdit, stored, wasPublished } from "../state.ts";
import { type EditContext, lockOwnBeat, type OwnRequest } from "./own-beats.ts";
import { readPublishAt, requireSchedulable } from "./publish-at.ts";
import {
  centsOf,
  genreIdOf,
  type KeyColumns,
  keyOf,
  type MediaColumns,
  mediaOf,
  priceColumnsOf,
  pricesOf,
  releaseMedia,
  requirePaid,
  requireTag,
  tagsOf,
  takeMedia,
  unknownKey,
} from "./read-fields.ts";
import { noTempo, requestPublication } from "./request-publishing.ts";
import type { BeatChanges } from "./schema.ts";

export interface BeatChange extends OwnRequest {
  beatId: number;
  /** The header's value; undefined without the header. */
  ifMatch: string | undefined;
  /** The run of an Idempotency-Key. If this run made the last change of the beat, nothing is changed again. */
  run?: string | null;
  /**
   * Set when the producer's schedule publishes the beat. The scheduled time then stays set until the beat is on sale.
   */
  isScheduled?: boolean;
}

/**
 * Changes one of the account's beats in any state. For a beat on sale, it emits beat.updated in the same transaction,
 * and new files replace the old ones when they are ready. Throws 400 naming the field, 403 for another account's beat,
 * 404 for a beat that the account may not see, 412 if the beat changed after `ifMatch`, and 409 for a change that the
 * beat's state does not allow or for another account's recording.
 */
export const changeBeat = (context: EditContext, change: BeatChange, changes: BeatChanges): Promise<SingleBeat> =>
  transact(context.db, async (transaction) => {
    const before = await lockOwnBeat(transaction, change.beatId, change.userId);
    if (wasChangedBy(before, change.run)) return withAnalysis(before);
    requireVersion(before, change.ifMatch);
    const columns = changedValues(before, await columnsOf(transaction, context, before, changes));
    const current = await mediaOf(transaction, before.id);
    const media = changedValues(current, await takeMedia(transaction, context, change.userId, changes));
    requireFreeFile(before, changes);
    const now = new Date(context.clock.nowMs());
    const status = statusAfterEdit(before, {
      beatId: before.id,
      requested: changes.status,
      hasAudio: { ...current, ...media }.audio_upload_id !== null,
      hasNewFiles: Object.keys(media).length > 0,
    });
    const isPriced = changes.price !== undefined || changes.license_prices !== undefined;
    if (isPriced || status === "processing" || status === "published") requirePaid({ ...before, ...columns });
    const sources = changedValues(before.production, sourcesOf(before, changes));
    const publishAt = readPublishAt(changes.publish_at, changes.status, context.clock.nowMs());
    if (publishAt instanceof Date) requireSchedulable(before);
    const schedule = scheduleAfter(before, publishAt, status, change.isScheduled === true);
    const isChanged =
      [columns, media, sources, schedule].some((values) => Object.keys(values).length > 0) || status !== null;
    if (!isChanged) return withAnalysis(before);
    await requireNotFrozen(transaction, before.id, now);

    await transaction
      .updateTable("beats")
      .set({ ...columns, ...(status === "published" && { is_listed: stored.published.is_listed }), updated_at: now })
      .where("id", "=", before.id)
      .execute();
    await transaction
      .updateTable("beat_productions")
      .set({
        ...media,
        ...sources,
        ...schedule,
        ...(status === "draft" && { stage: stored.draft.stage }),
        version: sql`version + 1`,
        changed_by_run: change.run ?? null,
      })
      .where("beat_id", "=", before.id)
      .execute();
    const replacedMedia = Object.keys(media).map((name) => [name, current[name as keyof MediaColumns]]);
    await releaseMedia(transaction, Object.fromEntries(replacedMedia), now);
    if (status === "processing") await requestPublication(transaction, context, before.id);

    const after = (await findSingleBeats(transaction, [before.id])).get(before.id);
    if (after === undefined) throw new Error(`Beat ${before.id} was deleted while it was locked.`);
    requireTransition(before, after);
    const changedNames = changedFields(before, after, context.publicUrl);
    if (after.is_listed && changedNames.length > 0)
      await emitEvents(transaction, [beatUpdated(after, changedNames, context.publicUrl, now, change.requestId)]);
    return withAnalysis(after);
  });

/** The column with the scheduled time, if the time changes. Publishing now, or the status `draft`, ends a schedule. */
function scheduleAfter(
  { production }: SingleBeat,
  publishAt: Date | null | undefined,
  status: ReturnType<typeof statusAfterEdit>,
  isScheduled: boolean,
): { publish_at?: Date | null } {
  const oldPublishAt = production?.publish_at == null ? null : new Date(production.publish_at);
  const endsSchedule = status === "published" || status === "draft" || (status === "processing" && !isScheduled);
  const defaultPublishAt = endsSchedule ? null : oldPublishAt;
  const newPublishAt = publishAt === undefined ? defaultPublishAt : publishAt;
  return newPublishAt?.getTime() === oldPublishAt?.getTime() ? {} : { publish_at: newPublishAt };
}

/**
 * Whether the run made the last change of the beat. True if an earlier attempt of the run ended after the change, but
 * before it stored the response.
 */
export const wasChangedBy = ({ production }: SingleBeat, run: string | null | undefined): boolean =>
  run != null && production?.changed_by_run === run;

/** Throws 412 if the request has an If-Match that does not name the beat's edit version. */
export function requireVersion(beat: SingleBeat, ifMatch: string | undefined): void {
  if (!matchesEditVersion(ifMatch, editVersionOf(beat)))
    throw preconditionFailed(
      `Beat ${beat.id} has changed since the state that If-Match names; get it again, and then change it.`,
    );
}

/** Throws 400 for a free download if this service would have no tagged MP3 of the beat after the change. */
function requireFreeFile(before: SingleBeat, { preview_tag, free_download }: BeatChanges): void {
  if (!(free_download ?? before.has_free_download)) return;
  if (before.production === null && before.audio_url !== null && free_download === true)
    throw invalidRequest(
      "The free_download field needs a preview that is stored here; the preview of this beat is at another address.",
      "free_download",
    );
  requireTag(
    preview_tag ?? before.production?.preview_tag,
    preview_tag === undefined ? "free_download" : "preview_tag",
  );
}

type Columns = Partial<
  Pick<SingleBeat, "title" | "genre_id" | "description" | "tempo" | "key" | "key_code" | "has_free_download"> &
    LicensePrices &
    LicenseColumns
> & {
  tags?: string[];
};

/** The columns of `beats` that the body names. */
async function columnsOf(
  db: Queryable,
  { licenseBounds }: EditContext,
  before: SingleBeat,
  changes: BeatChanges,
): Promise<Columns> {
  const { title, genre, price, license_prices, license_settings, free_download, bpm, key, description, tags } = changes;
  const genreId = genre === undefined ? before.genre_id : await genreIdOf(db, genre);
  const priceCents = price === undefined ? before.price_cents : centsOf(price);
  return {
    ...(title !== undefined && { title }),
    ...(genre !== undefined && { genre_id: genreId }),
    ...(description !== undefined && { description: description ?? "" }),
    ...(tags !== undefined && { tags: tagsOf(tags ?? []) }),
    ...(price !== undefined && { price_cents: priceCents }),
    ...(license_prices === null ? pricesOf(priceCents, {}) : priceColumnsOf(license_prices ?? {})),
    ...(license_settings !== undefined && withSettings(before, license_settings, licenseBounds)),
    ...(free_download !== undefined && { has_free_download: free_download }),
    ...(bpm !== undefined && { tempo: bpm ?? tempoWithoutProducer(before, await genreNameOf(db, genreId)) }),
    ...(key !== undefined && (key === null ? analysedKey(before) : keyOf(key))),
  };
}

const genreNameOf = async (db: Queryable, id: number): Promise<string> =>
  (await db.selectFrom("genres").select("name").where("id", "=", id).executeTakeFirstOrThrow()).name;

/**
 * The tempo if the producer sets none. 0 in a beat that was never published: publishing fills it in. Throws 400 if the
 * analysis of a published beat has no tempo.
 */
function tempoWithoutProducer(beat: SingleBeat, genreName: string): number {
  const { production } = beat;
  if (!wasPublished(beat)) return 0;
  if (production?.analysis?.bpm == null) throw invalidRequest(`The bpm field cannot be cleared: ${noTempo}`, "bpm");
  return analysedTempo(production.analysis, genreName);
}

/** The key if the producer sets none. A draft has no key in its row: `withAnalysis` fills it in. */
const analysedKey = (beat: SingleBeat): KeyColumns => {
  const key = publishedAnalysis(beat)?.key;
  return key == null ? unknownKey : keyOf(key);
};

/** The sources of tempo and key after the change. A cleared value of a draft has no source until it is published. */
function sourcesOf(
  before: SingleBeat,
  { bpm, key }: BeatChanges,
): Partial<Pick<Production, "bpm_source" | "key_source">> {
  const analysis = publishedAnalysis(before);
  const sourceWithoutProducer = (value: unknown) => (value == null ? null : ("analysis" as const));
  return {
    ...(bpm !== undefined && { bpm_source: bpm === null ? sourceWithoutProducer(analysis?.bpm) : "producer" }),
    ...(key !== undefined && { key_source: key === null ? sourceWithoutProducer(analysis?.key) : "producer" }),
  };
}

const publishedAnalysis = (beat: SingleBeat): Analysis | null =>
  wasPublished(beat) ? (beat.production?.analysis ?? null) : null;

/** The values that differ from the previous ones. */
function changedValues<Values extends object>(before: object | null, values: Values): Partial<Values> {
  const oldValues = (before ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(oldValues[name])),
  ) as Partial<Values>;
}
