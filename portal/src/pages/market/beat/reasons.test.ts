import "../../../../test/english.ts";
import { expect, test } from "vitest";
import type { SimilarBeat } from "../../../api/catalogue.ts";
import { reasonsOf } from "./reasons.ts";

const beat = (similarity: Partial<SimilarBeat["similarity"]>, key = "A minor") =>
  ({
    bpm: 140,
    key,
    genre: { id: 1, name: "Trap" },
    similarity: {
      score: 0.9,
      tempo_ratio: 1,
      bpm_difference_percent: 0,
      key_relation: "same",
      same_genre: true,
      ...similarity,
    },
  }) as SimilarBeat;

test("a beat without differences has full bars", () => {
  expect(reasonsOf(beat({}))).toEqual([
    { name: "Tempo", share: 1, text: "140 BPM, equal" },
    { name: "Key", share: 1, text: "A minor, the same" },
    { name: "Genre", share: 1, text: "Trap, the same" },
  ]);
});

test("a beat with twice the tempo, another genre and an unknown key has these differences as reasons", () => {
  const different = { tempo_ratio: 2, bpm_difference_percent: 0.73, key_relation: "other", same_genre: false } as const;
  const [tempo, key, genre] = reasonsOf(beat(different, ""));
  expect(tempo?.text).toBe("140 BPM, double time, 0.7 % apart");
  expect(tempo?.share).toBeGreaterThan(0.8);
  expect(key).toEqual({ name: "Key", share: 0, text: "Unknown, unrelated" });
  expect(genre).toEqual({ name: "Genre", share: 0, text: "Trap, another" });
});
