import { clipped } from "../answer.ts";

const maxNameLength = 80;

/** The facts of a beat in a list that an agent needs. */
export const beatFacts = (beat: Record<string, unknown>): object => ({
  id: beat.id,
  title: clipped(String(beat.title), maxNameLength),
  producer: clipped(String(beat.producer_name), maxNameLength),
  genre: (beat.genre as { name?: string } | null)?.name ?? null,
  bpm: beat.bpm,
  key: beat.key,
  price: beat.price,
});
