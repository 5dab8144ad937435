import { timestamp } from "@beatmarket/http/formats.ts";
import Type from "typebox";
import type { Beat, BeatDetail } from "./beat.ts";
import { licensesOf, licenseTypes } from "./licensing/licenses.ts";
import type { SingleBeat } from "./production.ts";

// The parts of a beat that are equal in both forms.

export const url = Type.String({ format: "uri" });
export const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, whole seconds." });

/** Schema of `beatDetails`. */
export const detailFields = {
  description: Type.String(),
  tags: Type.Array(Type.String()),
  licenses: Type.Array(
    Type.Object({
      type: Type.Enum([...licenseTypes]),
      price: Type.Number(),
      available: Type.Boolean({
        description: "False for every license while the exclusive one is being bought, and once it is sold.",
      }),
    }),
  ),
  updated_at: time,
};

/** The fields that the response of a single beat adds. */
export const beatDetails = (beat: BeatDetail) => ({
  description: beat.description,
  tags: beat.tags,
  licenses: licensesOf(beat),
  updated_at: timestamp(beat.updated_at),
});

export const isDetailed = (beat: Beat | SingleBeat): beat is SingleBeat => "description" in beat;

/** Whole beats per minute, at least 1; 0 for a draft whose tempo is not known yet. */
export const bpm = ({ tempo }: Beat): number => (tempo === 0 ? 0 : Math.max(1, Math.round(tempo)));

/** The URL of the beat's own preview, or of the loop that the service renders for it. */
export const audioUrl = ({ audio_url, id }: Beat, publicUrl: string): string =>
  absolute(audio_url ?? `/media/beats/${id}.wav`, publicUrl);

/** The URL of the beat's own cover, or of the one that the service draws for it. */
export const coverImage = ({ cover_image, id }: Pick<Beat, "cover_image" | "id">, publicUrl: string): string =>
  absolute(cover_image ?? `/media/beats/${id}.svg`, publicUrl);

/** Addresses of our own files are stored without an origin, which may change. */
const absolute = (url: string, publicUrl: string): string => (url.startsWith("/") ? `${publicUrl}${url}` : url);
