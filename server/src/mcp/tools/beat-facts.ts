import { clipped } from "../answer.ts";

const maxNameLength = 80;

/** What an agent needs of a beat of a list. */
export const beatFacts = (beat: Record<string, unknown>): object => ({
  id: beat.id,
  title: clipped(String(beat.title), maxNameLength),
  producer: clipped(String(beat.producer_name), maxNameLength),
  genre: (beat.genre as { name?: string } | null)?.name ?? null,
  bpm: beat.bpm,
  key: beat.key,
  price: beat.price,
});
