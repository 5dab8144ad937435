import type { Queryable } from "../../database/connect.ts";
import { singleBeatReference } from "../../resources/beats/present.ts";
import { editVersionOf, type SingleBeat } from "../../resources/beats/production.ts";
import { isUpload, mediaOf } from "../../resources/beats/publishing/media.ts";
import { uploadFields } from "../../resources/uploads/present.ts";
import { findUploads } from "../../resources/uploads/queries.ts";
import type { Upload } from "../../resources/uploads/upload.ts";

// What the studio shows, by the presenters of the API.

export const studioUpload = (upload: Upload) => ({ ...uploadFields(upload), is_retriable: upload.is_retriable });

/** A beat as `GET /v1/beats/{id}` has it for its producer. */
export const ownBeat = (beat: SingleBeat, publicUrl: string) =>
  singleBeatReference({ beat, isOwn: true }, { publicUrl, path: "", query: "" }).beat;

/** The same with its edit version and the uploads that it is made of. */
export async function studioBeat(db: Queryable, beat: SingleBeat, publicUrl: string) {
  const media = beat.production === null ? {} : await mediaOf(db, beat.id);
  const { audio_upload_id, cover_upload_id, stems_upload_id, preview_tag } = media;
  const ids = [audio_upload_id, cover_upload_id, stems_upload_id, preview_tag].filter(
    (id) => typeof id === "string" && isUpload(id),
  ) as string[];
  const uploads = await findUploads(db, beat.user_id, ids);
  const uploadOf = (id: string | null | undefined) => {
    const upload = uploads.get(id ?? "");
    return upload === undefined ? null : studioUpload(upload);
  };
  return {
    beat: ownBeat(beat, publicUrl),
    tempo: beat.tempo,
    exclusive: beat.exclusive_state,
    edit_version: editVersionOf(beat),
    uploads: {
      audio: uploadOf(audio_upload_id),
      cover: uploadOf(cover_upload_id),
      stems: uploadOf(stems_upload_id),
      preview_tag: uploadOf(preview_tag),
    },
  };
}
