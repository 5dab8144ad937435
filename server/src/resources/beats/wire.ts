import type { Beat } from "./beat.ts";

// What both forms say of a beat in the same way.

/** Whole beats per minute, at least 1. */
export const bpm = ({ tempo }: Beat): number => Math.max(1, Math.round(tempo));

/** The beat's own preview, or the loop rendered for it, which always opens. */
export const audioUrl = ({ audio_url, id }: Beat, publicUrl: string): string =>
  audio_url ?? `${publicUrl}/media/beats/${id}.wav`;

/** The beat's own cover, or the one drawn for it, which always opens. */
export const coverImage = ({ cover_image, id }: Beat, publicUrl: string): string =>
  cover_image ?? `${publicUrl}/media/beats/${id}.svg`;
