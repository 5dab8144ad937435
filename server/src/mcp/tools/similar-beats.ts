import Type from "typebox";
import { fitted } from "../answer.ts";
import { dataOf, type Tool } from "../tool.ts";
import { beatFacts } from "./beat-facts.ts";
import { BeatId } from "./get-beat.ts";

const maxLimit = 10;

interface SimilarBeat extends Record<string, unknown> {
  similarity: { score: number; key_relation: string };
}

export const similarBeats: Tool = {
  name: "similar_beats",
  description: "Beats that are similar to one, best first: by tempo, key and genre.",
  isReadOnly: true,
  input: Type.Object({
    beat_id: BeatId,
    limit: Type.Integer({ minimum: 1, maximum: maxLimit, default: 5 }),
  }),
  call: async ({ beat_id, limit }, { request }) => {
    const { beats } = dataOf(
      await request({ method: "GET", url: `/v1/beats/${beat_id}/similar?limit=${Math.min(Number(limit), maxLimit)}` }),
    ) as {
      beats: SimilarBeat[];
    };
    const facts = beats.map((beat) => ({
      ...beatFacts(beat),
      score: beat.similarity.score,
      key_relation: beat.similarity.key_relation,
    }));
    return fitted("beats", facts);
  },
};
