import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { Analysis } from "../../uploads/upload.ts";
import { stored } from "../state.ts";

/** A stored object that becomes a file of a beat, under a name such as `preview`. */
export interface BeatFile {
  name: string;
  sha256: string;
  bytes: number;
  content_type: string;
}

/** The files that the service rendered for a beat. */
export interface RenderedFiles {
  beatId: number;
  /** One of the files is the `preview`. */
  files: readonly BeatFile[];
  analysis: Analysis | null;
}

/** Whether a beat is on sale without a recording, and no new recording is being processed. For rows of `beats`. */
export const lacksRecording = sql<boolean>`is_listed and audio_url is null and exclusive_state = 'available'
  and not exists (select from beat_productions where beat_id = beats.id and stage <> ${sql.lit(stored.published.stage)})`;

/**
 * Attaches rendered files to beats that lack a recording, in one transaction. Tempo and key stay unchanged; the
 * duration becomes that of the analysis, if there is one. A beat that has a recording by now stays unchanged. Sends no
 * event.
 */
export const attachFiles = (db: Queryable, rendered: readonly RenderedFiles[]): Promise<void> =>
  transact(db, async (transaction) => {
    for (const filesOfBeat of rendered) await attach(transaction, filesOfBeat);
  });

/** Stores the recording that the service rendered for a beat. A beat that has a recording stays unchanged. */
export async function attachMaster(
  db: Queryable,
  beatId: number,
  { sha256, bytes, contentType }: { sha256: string; bytes: number; contentType: string },
): Promise<void> {
  await db
    .insertInto("beat_files")
    .values({ beat_id: beatId, name: "master", sha256, bytes, content_type: contentType })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function attach(transaction: Queryable, { beatId, files, analysis }: RenderedFiles): Promise<void> {
  const preview = files.find(({ name }) => name === "preview");
  if (preview === undefined) throw new Error(`The files made for beat ${beatId} lack a preview.`);
  const { numUpdatedRows } = await transaction
    .updateTable("beats")
    .set({
      audio_url: `/media/beats/${beatId}/preview-${preview.sha256.slice(0, 12)}.mp3`,
      ...(analysis !== null && { duration_seconds: analysis.duration }),
    })
    .where("id", "=", beatId)
    .where(lacksRecording)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  await transaction
    .insertInto("beat_productions")
    .columns(["beat_id", "stage", "published_at", "bpm_source", "key_source", "analysis"])
    .expression((eb) =>
      eb
        .selectFrom("beats")
        .select([
          "id",
          sql.lit(stored.published.stage).as("stage"),
          "created_at",
          sql.lit("producer").as("bpm_source"),
          sql<string | null>`case when key = '' then null else 'producer' end`.as("key_source"),
          sql<string | null>`${analysis === null ? null : JSON.stringify(analysis)}::jsonb`.as("analysis"),
        ])
        .where("id", "=", beatId),
    )
    .onConflict((conflict) =>
      conflict.column("beat_id").doUpdateSet(({ ref }) => ({ analysis: ref("excluded.analysis") })),
    )
    .execute();
  await transaction
    .insertInto("beat_files")
    .values(files.map((file) => ({ beat_id: beatId, ...file })))
    .execute();
}

/** Content types of recordings that contain all samples. M4A is not listed, since its codec is not inspected. */
const losslessTypes = ["audio/wav", "audio/aiff", "audio/flac"];

/**
 * Whether a recording has a lossy format; null if there is no recording. `file` is the alias of a row of `beat_files`.
 */
export const isLossy = (file: string): RawBuilder<boolean | null> =>
  sql`(${sql.ref(`${file}.content_type`)} <> all (${losslessTypes}::text[]))`;
