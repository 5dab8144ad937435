import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { enqueueRenditions, priorities } from "../../jobs/media-jobs.ts";
import { markProducer } from "../../users/producers.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import { beatCreated, beatUpdated, changedFields, publishingFailed } from "../beat-events.ts";
import { freeLicense } from "../licensing/licenses.ts";
import { analysedValues, type SingleBeat } from "../production.ts";
import { findSingleBeats } from "../queries.ts";
import { afterFailure, requireTransition, stored, wasPublished } from "../state.ts";
import type { PublishingContext } from "./own-beats.ts";
import { endSchedule } from "./publish-at.ts";
import { duplicateReason, isPublishedByAnother } from "./read-fields.ts";
import { noTempo, type Publication, type Source } from "./request-publishing.ts";

/** A stored object that becomes a file of a beat. */
export interface StoredFile {
  sha256: string;
  bytes: number;
  content_type: string;
}

export type PublishOutcome =
  | { outcome: "published" }
  /** The beat cannot be published. Its producer sees the reason. */
  | { outcome: "rejected"; reason: string }
  /** The beat got other files, or its publishing ended, in the meantime: call `findPublication` again. */
  | { outcome: "superseded" }
  /** The exclusive license is held, at most until this time: try again then. */
  | { outcome: "held"; until: Date };

/**
 * Puts a beat on sale, or replaces the files of a beat on sale, in one transaction with the event. The producer's
 * values take precedence over analysed values.
 */
export const publishWhenReady = (
  context: PublishingContext,
  publication: Publication,
  files: { preview: StoredFile },
): Promise<PublishOutcome> =>
  transact(context.db, async (transaction) => {
    const { beatId, userId, source, audio } = publication;
    const before = await lockProcessing(transaction, beatId, source);
    if (before === null) return { outcome: "superseded" };
    const now = new Date(context.clock.nowMs());
    const { heldUntil, beat } = before;
    if (heldUntil !== null && heldUntil > now) return { outcome: "held", until: heldUntil };
    const reject = async (reason: string): Promise<PublishOutcome> => {
      await endProcessing(transaction, context, beat, reason);
      return { outcome: "rejected", reason };
    };
    if (beat.exclusive_state === "sold") return reject(soldDuringProcessing);
    const master = publication.audioFiles.get("original");
    if (master === undefined) throw new Error(`Upload ${audio.id} is ready and has no original.`);
    // Serializes accounts that publish the same recording.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`recording ${master.sha256}`}, 0))`.execute(transaction);
    if (!context.allowsDuplicates && (await isPublishedByAnother(transaction, userId, master.sha256)))
      return reject(duplicateReason);
    const values = analysedValues(beat, audio.analysis);
    if (values.tempo === 0) return reject(`Give the bpm: ${noTempo}`);
    const free = freeLicense(beat);
    if (free !== undefined) return reject(`Give the ${free} license a price: it is never free.`);

    await replaceFiles(transaction, publication, { ...files, master });
    const { production, ...columns } = values;
    const isFirst = !wasPublished(beat);
    await transaction
      .updateTable("beats")
      .set({
        ...columns,
        audio_url: `/media/beats/${beatId}/preview-${files.preview.sha256.slice(0, 12)}.mp3`,
        cover_image:
          publication.cover === null
            ? null
            : `/media/beats/${beatId}/cover-${publication.cover.sha256.slice(0, 12)}.jpg`,
        is_listed: stored.published.is_listed,
        ...(isFirst && { created_at: now }),
        updated_at: now,
      })
      .where("id", "=", beatId)
      .execute();
    await transaction
      .updateTable("beat_productions")
      .set({
        stage: stored.published.stage,
        version: sql`version + 1`,
        bpm_source: production.bpm_source,
        key_source: production.key_source,
        analysis: audio.analysis === null ? null : JSON.stringify(audio.analysis),
        rejection: null,
        publish_at: null,
        ...(isFirst && { published_at: now }),
      })
      .where("beat_id", "=", beatId)
      .execute();
    await markProducer(transaction, userId, now);
    await enqueueRenditions(transaction, {
      masterSha256: master.sha256,
      userId,
      priority: priorities.afterPublishing,
      now,
    });

    const after = (await findSingleBeats(transaction, [beatId])).get(beatId);
    if (after === undefined) throw new Error(`Beat ${beatId} was deleted while it was locked.`);
    requireTransition(beat, after);
    const changedNames = changedFields(beat, after, context.publicUrl);
    if (isFirst) await emitEvents(transaction, [beatCreated(after, context.publicUrl, now)]);
    else if (changedNames.length > 0)
      await emitEvents(transaction, [beatUpdated(after, changedNames, context.publicUrl, now)]);
    return { outcome: "published" };
  });

const soldDuringProcessing = "Its exclusive license was sold before the new files were ready; it stays as it was sold.";

/**
 * Ends the publishing of a beat, with a sentence for its producer. A beat that was never on sale becomes a draft again,
 * a withdrawn beat is withdrawn again, and a beat on sale stays on sale. Does nothing if the beat got other files, or
 * its publishing ended, in the meantime.
 */
export const rejectPublication = (
  context: Pick<PublishingContext, "db" | "clock" | "publicUrl">,
  beatId: number,
  source: Source,
  reason: string,
): Promise<void> =>
  transact(context.db, async (transaction) => {
    const before = await lockProcessing(transaction, beatId, source);
    if (before !== null) await endProcessing(transaction, context, before.beat, reason);
  });

async function endProcessing(
  transaction: Queryable,
  context: Pick<PublishingContext, "clock" | "publicUrl">,
  beat: SingleBeat,
  reason: string,
): Promise<void> {
  const { id, production } = beat;
  const { stage } = stored[afterFailure(beat)];
  requireTransition(beat, { ...beat, production: production && { ...production, stage } });
  await transaction
    .updateTable("beat_productions")
    .set({ stage, rejection: reason })
    .where("beat_id", "=", id)
    .execute();
  await emitEvents(transaction, [publishingFailed(beat, reason, new Date(context.clock.nowMs()))]);
  await endSchedule(transaction, context, beat, reason);
}

/** Locks and returns the beat if exactly these uploads are still being published; otherwise null. */
async function lockProcessing(
  transaction: Queryable,
  beatId: number,
  source: Source,
): Promise<{ beat: SingleBeat; heldUntil: Date | null } | null> {
  const locked = await transaction
    .selectFrom("beats")
    .select(["id", "exclusive_held_until"])
    .where("id", "=", beatId)
    .forUpdate()
    .executeTakeFirst();
  const current = await transaction
    .selectFrom("beat_productions")
    .select(["stage", "audio_upload_id", "cover_upload_id", "stems_upload_id", "preview_tag"])
    .where("beat_id", "=", beatId)
    .executeTakeFirst();
  const isSame =
    current?.stage === stored.processing.stage &&
    current.audio_upload_id === source.audio_upload_id &&
    current.cover_upload_id === source.cover_upload_id &&
    current.stems_upload_id === source.stems_upload_id &&
    current.preview_tag === source.preview_tag;
  const beat = (await findSingleBeats(transaction, [beatId])).get(beatId);
  return locked === undefined || beat === undefined || !isSame
    ? null
    : { beat, heldUntil: locked.exclusive_held_until };
}

/** Replaces the beat's files. An object in the storage stays while any row names it. */
async function replaceFiles(
  transaction: Queryable,
  { beatId, audioFiles, cover, smallCover, stems }: Publication,
  { master, preview }: { master: StoredFile; preview: StoredFile },
): Promise<void> {
  const files: Record<string, StoredFile | null | undefined> = {
    master,
    preview,
    cover,
    "cover-small": smallCover,
    stems,
    waveform: audioFiles.get("waveform"),
    "waveform-detail": audioFiles.get("waveform-detail"),
  };
  await transaction.deleteFrom("beat_files").where("beat_id", "=", beatId).execute();
  const rows = Object.entries(files).flatMap(([name, file]) =>
    file === null || file === undefined
      ? []
      : [{ beat_id: beatId, name, sha256: file.sha256, bytes: file.bytes, content_type: file.content_type }],
  );
  await transaction.insertInto("beat_files").values(rows).execute();
}
