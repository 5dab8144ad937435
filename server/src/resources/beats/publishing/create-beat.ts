import { valuesOfFileName } from "@beatmarket/audio/analysis/file-name-values.ts";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import Type, { type Static } from "typebox";
import type { Queryable } from "../../../database/connect.ts";
import { lockUser } from "../../audit/lock-user.ts";
import { findUpload } from "../../uploads/queries.ts";
import { uploadIdPattern } from "../../uploads/upload.ts";
import { findLicenseDefaults, withSettings } from "../licensing/settings.ts";
import type { SingleBeat } from "../production.ts";
import { stored } from "../state.ts";
import { type DraftDefaults, fieldsOfDefaults, findDraftDefaults } from "./draft-defaults.ts";
import { type EditContext, findOwnBeat } from "./own-beats.ts";
import { readPublishAt } from "./publish-at.ts";
import { centsOf, genreIdOf, keyOf, pricesOf, requireTag, tagsOf, takeMedia } from "./read-fields.ts";
import { requestPublication } from "./request-publishing.ts";
import { BeatFields } from "./schema.ts";

export interface BeatCreation {
  userId: number;
  /** Identifies one execution under an Idempotency-Key. All retries of a run share one beat. Null without a key. */
  run: string | null;
  fields: BeatFields;
}

/**
 * Creates a draft, or returns the draft of an earlier attempt of the same run. With the status `published`, the beat
 * goes on sale as soon as its files are processed. Throws 400 naming the field, and 409 for another account's
 * recording.
 */
export const createBeat = (context: EditContext, creation: BeatCreation): Promise<SingleBeat> =>
  transact(context.db, async (transaction) => {
    const { userId, run, fields } = creation;
    const id = (await findBeatOfRun(transaction, run)) ?? (await insertBeat(transaction, context, creation));
    if (fields.status === "published") await requestPublication(transaction, context, id);
    const beat = await findOwnBeat(transaction, id, userId);
    if (beat === undefined) throw new Error(`Beat ${id} is missing in the transaction that created it.`);
    return beat;
  });

async function insertBeat(
  transaction: Queryable,
  context: EditContext,
  { userId, run, fields }: BeatCreation,
): Promise<number> {
  const now = new Date(context.clock.nowMs());
  await lockUser(transaction, userId);
  const genreId = await genreIdOf(transaction, fields.genre);
  const media = await takeMedia(transaction, context, userId, fields);
  const defaults = await findLicenseDefaults(transaction, userId);
  const { has_free_download, ...licenses } = defaults;
  if (fields.free_download === true) requireTag(fields.preview_tag, "free_download");
  const { id } = await transaction
    .insertInto("beats")
    .values({
      user_id: userId,
      title: fields.title,
      genre_id: genreId,
      description: fields.description ?? "",
      tags: tagsOf(fields.tags ?? []),
      tempo: fields.bpm ?? 0,
      ...(fields.key !== undefined && keyOf(fields.key)),
      ...pricesOf(centsOf(fields.price), fields.license_prices ?? {}),
      ...(fields.license_settings === undefined
        ? licenses
        : withSettings(licenses, fields.license_settings, context.licenseBounds)),
      has_free_download: fields.free_download ?? (has_free_download && fields.preview_tag !== "none"),
      is_listed: stored.draft.is_listed,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("beat_productions")
    .values({
      beat_id: id,
      ...media,
      bpm_source: fields.bpm === undefined ? null : "producer",
      key_source: fields.key === undefined ? null : "producer",
      publish_at: readPublishAt(fields.publish_at, fields.status, context.clock.nowMs()) ?? null,
      idempotency_run: run,
    })
    .execute();
  return id;
}

async function findBeatOfRun(db: Queryable, run: string | null): Promise<number | undefined> {
  if (run === null) return undefined;
  const production = await db
    .selectFrom("beat_productions")
    .select("beat_id")
    .where("idempotency_run", "=", run)
    .executeTakeFirst();
  return production?.beat_id;
}

const { genre, price, status } = BeatFields.properties;

/** The request to make one beat from each of these uploads, with the account's defaults. */
export const UploadsToBeats = Type.Object({
  upload_ids: Type.Array(Type.String({ pattern: uploadIdPattern, maxLength: 26 }), {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
  }),
  genre: Type.Optional(genre),
  price: Type.Optional(price),
  status,
});

export const UploadsToBeatsResponse = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          upload_id: Type.String(),
          beat_id: Type.Union([Type.Integer(), Type.Null()], {
            description: "The id of the created beat. Null if none was created.",
          }),
          reason: Type.Union([Type.String(), Type.Null()], {
            description: "Why no beat was created. Null if one was.",
          }),
        },
        { additionalProperties: false },
      ),
      { description: "The results, in the order of the uploads." },
    ),
  },
  { additionalProperties: false },
);

/**
 * Creates a beat from each upload, each in its own transaction. The result of a refused upload has the reason; other
 * errors are thrown.
 */
export async function createBeatsOfUploads(
  context: EditContext,
  userId: number,
  request: Static<typeof UploadsToBeats>,
): Promise<Static<typeof UploadsToBeatsResponse>> {
  const defaults = await findDraftDefaults(context.db, userId);
  const results: Static<typeof UploadsToBeatsResponse>["results"] = [];
  for (const upload_id of request.upload_ids)
    try {
      const { id } = await createBeatOfUpload(context, userId, { ...request, uploadId: upload_id, defaults });
      results.push({ upload_id, beat_id: id, reason: null });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      results.push({ upload_id, beat_id: null, reason: error.details });
    }
  return { results };
}

interface BeatOfUpload extends Pick<Static<typeof UploadsToBeats>, "genre" | "price" | "status"> {
  uploadId: string;
  defaults: DraftDefaults;
}

async function createBeatOfUpload(
  context: EditContext,
  userId: number,
  { uploadId, defaults, ...request }: BeatOfUpload,
) {
  const upload = await findUpload(context.db, userId, uploadId, new Date(context.clock.nowMs()));
  const genre = request.genre ?? defaults.genre;
  const price = request.price ?? defaults.price;
  if (genre === null)
    throw invalidRequest("The genre field is required: choose one, or set it in your defaults.", "genre");
  if (price === null)
    throw invalidRequest("The price field is required: send it, or set it in your defaults.", "price");
  return createBeat(context, {
    userId,
    run: null,
    fields: {
      ...fieldsOfDefaults(defaults),
      title: valuesOfFileName(upload.filename).title,
      genre,
      price,
      audio: uploadId,
      status: request.status,
    },
  });
}
