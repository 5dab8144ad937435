import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { enqueue } from "@beatmarket/jobs/queue.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { filesOfUpload, selectUploads, type UploadFile } from "../../uploads/queries.ts";
import type { Upload } from "../../uploads/upload.ts";
import { stored } from "../state.ts";
import type { PublishingContext } from "./own-beats.ts";
import { isUpload } from "./read-fields.ts";

// The steps from a request to publish a beat to the input of the job `preview`. The job runs when all uploads of the
// beat are analysed.

export const previewJob = "preview";

/** The stage of a beat and the uploads that are being published, as in the row of `beat_productions`. */
export interface Source {
  stage: string;
  audio_upload_id: string | null;
  cover_upload_id: string | null;
  stems_upload_id: string | null;
  preview_tag: string;
}

/** The uploads of a beat that is being published, as read from the database. */
export interface Publication {
  beatId: number;
  userId: number;
  source: Source;
  audio: Upload;
  /** The files of the audio, by name: `original`, `waveform`, `waveform-detail`. */
  audioFiles: ReadonlyMap<string, UploadFile>;
  /** The re-encoded cover; null without a cover. */
  cover: UploadFile | null;
  /** The cover re-encoded for small frames; null without a cover. */
  smallCover: UploadFile | null;
  stems: UploadFile | null;
  /** The tag that is mixed into the preview. */
  tag: "default" | "none" | { file: UploadFile };
}

export type PublicationState =
  /** No publishing is in progress. */
  | { state: "idle" }
  /** Some uploads are not analysed yet. The end of the last analysis queues a job (`publishAwaiting`). */
  | { state: "waiting" }
  /** An upload was rejected, or the beat has no audio: call `rejectPublication`. */
  | { state: "rejected"; source: Source; reason: string }
  | { state: "ready"; publication: Publication };

/**
 * Begins to publish a beat, or its new files. Throws 400 if the beat has no tempo and no pending analysis can provide
 * one.
 */
export async function requestPublication(
  transaction: Queryable,
  { clock }: Pick<PublishingContext, "clock">,
  beatId: number,
): Promise<void> {
  await requireTempo(transaction, beatId);
  await transaction
    .updateTable("beat_productions")
    .set({ stage: stored.processing.stage, rejection: null })
    .where("beat_id", "=", beatId)
    .execute();
  await enqueuePreviews(transaction, sql<boolean>`beat_productions.beat_id = ${beatId}`, new Date(clock.nowMs()));
}

/** Queues the previews of beats that waited for an upload. `transaction` sets the final status of the upload. */
export const publishAwaiting = (transaction: Queryable, uploadId: string, now: Date): Promise<void> =>
  enqueuePreviews(
    transaction,
    sql<boolean>`${uploadId} in (audio_upload_id, cover_upload_id, stems_upload_id, preview_tag)`,
    now,
  );

async function enqueuePreviews(
  transaction: Queryable,
  condition: ReturnType<typeof sql<boolean>>,
  now: Date,
): Promise<void> {
  const readyBeats = await transaction
    .selectFrom("beat_productions")
    .innerJoin("beats", "beats.id", "beat_productions.beat_id")
    .select(["beats.id", "beats.user_id"])
    .where("stage", "=", stored.processing.stage)
    .where(condition)
    .where(
      sql<boolean>`not exists (select from uploads
        where uploads.id in (audio_upload_id, cover_upload_id, stems_upload_id, preview_tag)
          and uploads.status in ('receiving', 'analysing'))`,
    )
    .execute();
  for (const { id, user_id } of readyBeats)
    await enqueue(transaction, { kind: previewJob, subject: String(id), userId: user_id, now });
}

/** The state of a beat's publishing, which determines the next step of its job. */
export async function findPublication(db: Queryable, beatId: number): Promise<PublicationState> {
  const row = await db
    .selectFrom("beat_productions")
    .innerJoin("beats", "beats.id", "beat_productions.beat_id")
    .select(["user_id", "stage", "audio_upload_id", "cover_upload_id", "stems_upload_id", "preview_tag"])
    .where("beat_id", "=", beatId)
    .executeTakeFirst();
  if (row === undefined || row.stage !== stored.processing.stage) return { state: "idle" };
  const { user_id: userId, ...source } = row;
  const ids = [source.audio_upload_id, source.cover_upload_id, source.stems_upload_id];
  if (isUpload(source.preview_tag)) ids.push(source.preview_tag);
  const uploads = await selectUploads(db)
    .where(
      "uploads.id",
      "in",
      ids.filter((id) => id !== null),
    )
    .execute();
  const rejected = uploads.find(({ status }) => status === "rejected");
  if (rejected !== undefined)
    return { state: "rejected", source, reason: `${nounOf(rejected, source)} was rejected: ${rejected.rejection}` };
  if (uploads.some(({ status }) => status !== "ready")) return { state: "waiting" };
  const audio = uploads.find(({ id }) => id === source.audio_upload_id);
  if (audio === undefined) return { state: "rejected", source, reason: "The beat has no audio: upload a recording." };
  const fileOf = async (id: string | null, name: string): Promise<UploadFile | null> =>
    id === null ? null : ((await filesOfUpload(db, id)).find((file) => file.name === name) ?? null);
  const tagFile = isUpload(source.preview_tag) ? await fileOf(source.preview_tag, "original") : null;
  const builtInTag = source.preview_tag === "none" ? "none" : "default";
  return {
    state: "ready",
    publication: {
      beatId,
      userId,
      source,
      audio,
      audioFiles: new Map((await filesOfUpload(db, audio.id)).map((file) => [file.name, file])),
      cover: await fileOf(source.cover_upload_id, "cover"),
      smallCover: await fileOf(source.cover_upload_id, "cover-small"),
      stems: await fileOf(source.stems_upload_id, "original"),
      tag: tagFile === null ? builtInTag : { file: tagFile },
    },
  };
}

/** Throws 400 if the producer set no tempo and the finished analysis of the audio found none. */
async function requireTempo(db: Queryable, beatId: number): Promise<void> {
  const beatWithoutTempo = await db
    .selectFrom("beats")
    .innerJoin("beat_productions", "beat_id", "beats.id")
    .innerJoin("uploads", "uploads.id", "audio_upload_id")
    .select("beats.id")
    .where("beats.id", "=", beatId)
    .where(sql<boolean>`bpm_source is distinct from 'producer'`)
    .where("uploads.status", "=", "ready")
    .where(sql<boolean>`uploads.analysis ->> 'bpm' is null`)
    .executeTakeFirst();
  if (beatWithoutTempo !== undefined) throw invalidRequest(`The bpm field is required: ${noTempo}`, "bpm");
}

export const noTempo = "the analysis found no tempo in the audio, and a beat on sale must have one.";

const nounOf = ({ id }: Upload, source: Source): string => {
  if (id === source.audio_upload_id) return "The audio";
  if (id === source.cover_upload_id) return "The cover";
  return id === source.stems_upload_id ? "The stems archive" : "The preview's tag";
};
