import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import Type, { type Static } from "typebox";
import { valuesOfFileName } from "../../uploads/file-name-values.ts";
import { findUpload } from "../../uploads/queries.ts";
import { uploadIdPattern } from "../../uploads/upload.ts";
import type { EditContext } from "./context.ts";
import { createBeat } from "./create-beat.ts";
import { type DraftDefaults, fieldsOfDefaults, findDraftDefaults } from "./draft-defaults.ts";
import { BeatFields } from "./schema.ts";

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
          beat_id: Type.Union([Type.Integer(), Type.Null()], { description: "Null if none was made." }),
          reason: Type.Union([Type.String(), Type.Null()], { description: "Why none was made." }),
        },
        { additionalProperties: false },
      ),
      { description: "In the order of the uploads." },
    ),
  },
  { additionalProperties: false },
);

/** Each beat has its own transaction, so it is made completely, or its reason says why not. */
export async function makeBeatsOfUploads(
  context: EditContext,
  userId: number,
  request: Static<typeof UploadsToBeats>,
): Promise<Static<typeof UploadsToBeatsResponse>> {
  const defaults = await findDraftDefaults(context.db, userId);
  const results: Static<typeof UploadsToBeatsResponse>["results"] = [];
  for (const upload_id of request.upload_ids)
    try {
      const { id } = await makeBeat(context, userId, { ...request, uploadId: upload_id, defaults });
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

async function makeBeat(context: EditContext, userId: number, { uploadId, defaults, ...request }: BeatOfUpload) {
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
