/** A beat of an answer, as far as it can be seen and heard. */
export interface BeatMedia {
  id: number;
  title: string;
  producer: string;
  audioUrl: string;
  coverUrl: string;
}

const most = 100;

/** The beats of an answer, in either form and however deep, in their order and each once. */
export function beatsIn(json: unknown): BeatMedia[] {
  const found = new Map<number, BeatMedia>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null || found.size >= most) return;
    const { id, title, audio_url, audio_preview, cover_image, producer_name, producer } = value as Record<
      string,
      unknown
    >;
    const audioUrl = webAddress(audio_url ?? audio_preview);
    if (typeof id === "number" && typeof title === "string" && audioUrl !== null && !found.has(id))
      found.set(id, {
        id,
        title,
        producer: String(producer_name ?? producer ?? ""),
        audioUrl,
        coverUrl: webAddress(cover_image) ?? "",
      });
    for (const its of Object.values(value)) look(its);
  };
  look(json);
  return [...found.values()];
}

/** Addresses in a catalogue are whatever was imported; the page may load those of https alone. */
const webAddress = (value: unknown): string | null =>
  typeof value === "string" && /^https:\/\//i.test(value) ? value : null;
