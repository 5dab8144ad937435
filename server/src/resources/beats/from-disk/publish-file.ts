import { setTimeout as sleep } from "node:timers/promises";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { parseDecimal, readCents } from "@beatmarket/foundation/text/read-number.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { readValues } from "@beatmarket/http/input/validate.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable } from "../../../database/connect.ts";
import type { ExaminationParts, Examined } from "../../uploads/analysis/findings.ts";
import { addUpload, examineFile, type LocalFile, measureFile } from "../../uploads/create-upload.ts";
import type { UploadKind } from "../../uploads/upload.ts";
import { changeBeat } from "../publishing/change-beat.ts";
import { createBeat } from "../publishing/create-beat.ts";
import { type EditContext, findOwnBeat } from "../publishing/own-beats.ts";
import { centsOf, duplicate, genreIdOf, isPublishedByAnother, keyOf, pricesOf } from "../publishing/read-fields.ts";
import { BeatFields } from "../publishing/schema.ts";
import { type BeatStatus, statusOf } from "../state.ts";

export interface PublishFileParts extends EditContext, ExaminationParts {}

/** The fields of a beat, without its files. */
type FieldsWithoutFiles = Omit<BeatFields, "audio" | "cover" | "stems">;

/** A file of this machine, with the size from `stat`. */
interface FileOnDisk {
  path: string;
  filename: string;
  bytes: number;
}

export interface FilesOnDisk {
  audio: FileOnDisk;
  cover?: FileOnDisk | undefined;
  stems?: FileOnDisk | undefined;
}

type PublishStep = "reading" | "analysing" | "publishing";

export interface PublishFileOptions {
  signal: AbortSignal;
  onStep?: (step: PublishStep) => void;
  /** Called after each read of the audio file, with the number of bytes of that read. */
  onBytes?: (bytes: number) => void;
}

export interface PublishedFile {
  beatId: number;
  /** False if the account already had this recording. */
  isNew: boolean;
  status: BeatStatus;
  /** The reason why the beat's last publishing failed, as a sentence; null if it did not fail. */
  rejection: string | null;
}

/** Enough for three attempts to render a preview. */
const maxWaitMs = 15 * 60_000;
const pollMs = 200;

/**
 * Creates a beat from files on this machine. If the account already has a beat with this recording (the same SHA-256),
 * creates no beat; if that beat is a draft and publishing is requested, publishes it. Any worker for media jobs renders
 * the preview. Returns when publishing has succeeded or failed, or after 15 minutes with the status `processing`;
 * returns a draft at once. Throws like `createBeat`, 413 for a file that is too large, and a MediaTaskError for an
 * unusable file.
 */
export async function publishFile(
  parts: PublishFileParts,
  userId: number,
  { files, fields }: { files: FilesOnDisk; fields: FieldsWithoutFiles },
  { signal, onStep = () => {}, onBytes = () => {} }: PublishFileOptions,
): Promise<PublishedFile> {
  onStep("reading");
  await requireFields(parts.db, fields);
  const audio = await measureFile({ kind: "audio", ...files.audio }, onBytes);
  const recording = await findRecording(parts.db, userId, audio.sha256);
  if (recording === null && !parts.allowsDuplicates && (await isPublishedByAnother(parts.db, userId, audio.sha256)))
    throw duplicate();
  if (recording === null) onStep("analysing");
  const { beatId, isNew } =
    recording === null
      ? await create(parts, userId, { fields, examined: await examineAll(parts, files, audio, signal) })
      : { beatId: recording, isNew: false };
  onStep("publishing");
  if (!isNew && fields.status === "published") await publishDraft(parts, userId, beatId);
  return { ...(await awaitProcessing(parts.db, userId, beatId, signal)), isNew };
}

/** Throws the errors for genre, key and prices that `createBeat` would throw only after the analysis. */
async function requireFields(db: Queryable, { genre, key, price, license_prices }: FieldsWithoutFiles): Promise<void> {
  await genreIdOf(db, genre);
  if (key !== undefined) keyOf(key);
  pricesOf(centsOf(price), license_prices ?? {});
}

/** The account's beat with exactly this recording; null if there is none. */
async function findRecording(db: Queryable, userId: number, sha256: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select beats.id from beats
    left join beat_productions production on production.beat_id = beats.id
    left join beat_files master on master.beat_id = beats.id and master.name = 'master'
    left join upload_files original on original.upload_id = production.audio_upload_id and original.name = 'original'
    where beats.user_id = ${userId} and ${sha256} in (master.sha256, original.sha256)
    order by beats.id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

type ExaminedFiles = Partial<Record<UploadKind, LocalFile & Examined & { filename: string }>>;

async function examineAll(
  parts: PublishFileParts,
  { audio: { filename }, ...others }: FilesOnDisk,
  audio: LocalFile,
  signal: AbortSignal,
): Promise<ExaminedFiles> {
  const examined: ExaminedFiles = { audio: { ...(await examineFile(parts, audio, signal)), filename } };
  for (const kind of ["cover", "stems"] as const) {
    const file = others[kind];
    if (file === undefined) continue;
    const measured = await measureFile({ kind, ...file }, () => {});
    examined[kind] = { ...(await examineFile(parts, measured, signal)), filename: file.filename };
  }
  return examined;
}

/** Creates the beat and its uploads in one transaction. */
const create = (
  parts: PublishFileParts,
  userId: number,
  { fields, examined }: { fields: FieldsWithoutFiles; examined: ExaminedFiles },
): Promise<{ beatId: number; isNew: boolean }> =>
  transact(parts.db, async (transaction) => {
    const { audio, cover, stems } = examined;
    if (audio === undefined) throw new Error("A beat has a recording.");
    // Concurrent commands with one file run one after the other.
    const lock = `recording ${audio.sha256} of ${userId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
    const recording = await findRecording(transaction, userId, audio.sha256);
    if (recording !== null) return { beatId: recording, isNew: false };
    const now = new Date(parts.clock.nowMs());
    const add = (file: NonNullable<typeof audio>) => addUpload(transaction, userId, file, now);
    const beat = await createBeat(
      { ...parts, db: transaction },
      {
        userId,
        run: null,
        fields: {
          ...fields,
          audio: await add(audio),
          ...(cover !== undefined && { cover: await add(cover) }),
          ...(stems !== undefined && { stems: await add(stems) }),
        },
      },
    );
    return { beatId: beat.id, isNew: true };
  });

/** Publishes a draft. A withdrawn beat stays withdrawn. */
async function publishDraft(parts: PublishFileParts, userId: number, beatId: number): Promise<void> {
  const beat = await findOwnBeat(parts.db, beatId, userId);
  if (beat === undefined || statusOf(beat) !== "draft") return;
  await changeBeat(parts, { userId, beatId, ifMatch: undefined, requestId: null }, { status: "published" });
}

async function awaitProcessing(
  db: Queryable,
  userId: number,
  beatId: number,
  signal: AbortSignal,
): Promise<Omit<PublishedFile, "isNew">> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const beat = await findOwnBeat(db, beatId, userId);
    if (beat === undefined) throw new Error(`Beat ${beatId} was deleted while it was published.`);
    const status = statusOf(beat);
    if (status !== "processing" || waitedMs >= maxWaitMs)
      return { beatId, status, rejection: beat.production?.rejection ?? null };
    await sleep(pollMs, undefined, { signal });
  }
}

const textFields = Type.Omit(BeatFields, ["audio", "cover", "stems", "preview_tag"]);

export const textFieldNames = [
  "title",
  "genre",
  "price",
  "premium",
  "unlimited",
  "exclusive",
  "bpm",
  "key",
  "tags",
  "description",
] as const;
export type FieldTexts = Partial<Record<(typeof textFieldNames)[number], string>>;

const separator = /[,;|]/;

/**
 * Reads a beat's fields from a command line or a row of a file. Empty texts are absent. Tags are separated by commas,
 * semicolons or bars. Throws 400 naming the field, like `POST /beats`.
 */
export function readFieldTexts(text: FieldTexts, status: FieldsWithoutFiles["status"]): FieldsWithoutFiles {
  const filled = Object.fromEntries(
    Object.entries(text)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  ) as FieldTexts;
  const { premium, unlimited, exclusive, genre, price, bpm, tags, ...texts } = filled;
  const otherPrices = Object.entries({ premium, unlimited, exclusive }).filter(([, value]) => value !== undefined);
  const values: Record<string, unknown> = {
    ...texts,
    ...(genre !== undefined && { genre: /^\d+$/.test(genre) ? Number(genre) : genre }),
    ...(price !== undefined && { price: amountIn("price", price) }),
    ...(bpm !== undefined && { bpm: parseDecimal(bpm) ?? bpm }),
    ...(tags !== undefined && {
      tags: tags
        .split(separator)
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ""),
    }),
    ...(otherPrices.length > 0 && {
      license_prices: Object.fromEntries(otherPrices.map(([name, value]) => [name, amountIn(name, value)])),
    }),
    status,
  };
  return readValues("field", textFields, Object.entries(values)) as FieldsWithoutFiles;
}

/**
 * Reads an amount. Throws for a negative amount and for a text that could mean two amounts. Returns a text that is not
 * an amount unchanged: the validation quotes it in its error.
 */
function amountIn(name: string, text = ""): unknown {
  const cents = readCents(text);
  if (typeof cents === "number") return cents / 100;
  if (cents === "not an amount") return text;
  const problem =
    cents === "negative"
      ? "is below 0."
      : "is ambiguous: its separator may mean thousands or decimals. Write 1299.00 or 1.29.";
  throw invalidRequest(`The ${name} field ${problem} Given: ${JSON.stringify(quoted(text))}.`, name);
}
