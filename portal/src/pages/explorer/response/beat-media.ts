import type { Track } from "../../../display/player/player.ts";

const maxBeats = 100;

/**
 * The beats in a response that have an https URL of their audio: at most 100, from any depth, in the response's order
 * and without duplicates. Reads the reference form and the console form (docs/api/beats.md).
 */
export function beatsIn(json: unknown): Track[] {
  const tracks = new Map<number, Track>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || tracks.size >= maxBeats) return;
    const { id, title, audio_url, audio_preview, cover_image, producer_name, producer } = value as Record<
      string,
      unknown
    >;
    const audioUrl = httpsUrl(audio_url ?? audio_preview);
    if (typeof id === "number" && typeof title === "string" && audioUrl !== null && !tracks.has(id))
      tracks.set(id, {
        id,
        title,
        producer: String(producer_name ?? producer ?? ""),
        audioUrl,
        coverUrl: httpsUrl(cover_image) ?? "",
      });
    for (const child of Object.values(value)) visit(child);
  };
  visit(json);
  return [...tracks.values()];
}

/** Imported catalogues may contain any URL. The page loads only https URLs. */
const httpsUrl = (value: unknown): string | null =>
  typeof value === "string" && /^https:\/\//i.test(value) ? value : null;
