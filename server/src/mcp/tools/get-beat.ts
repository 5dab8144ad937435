import Type from "typebox";
import { clipped } from "../answer.ts";
import { dataOf, type Tool } from "../tool.ts";
import { beatFacts } from "./beat-facts.ts";

const maxDescriptionLength = 300;
const maxTags = 10;
const maxTagLength = 40;

export const BeatId = Type.Integer({ minimum: 1, description: "`id` of a beat" });

/** A beat of the API, with description, tags and licenses. */
export interface BeatDetails extends Record<string, unknown> {
  title: string;
  description: string | null;
  tags: string[];
  licenses: { type: string; price: number; available: boolean }[];
}

export const getBeat = (publicUrl: string, currency: string): Tool => ({
  name: "get_beat",
  description: "A beat with its description, tags, licenses and prices.",
  isReadOnly: true,
  input: Type.Object({ beat_id: BeatId }),
  call: async ({ beat_id }, { request }) => {
    const data = dataOf(await request({ method: "GET", url: `/v1/beats/${beat_id}` }));
    const beat = data.beat as BeatDetails;
    const { price: _, ...facts } = beatFacts(beat) as { price: unknown };
    return {
      ...facts,
      duration_seconds: beat.duration,
      description: clipped(beat.description ?? "", maxDescriptionLength),
      tags: beat.tags.slice(0, maxTags).map((tag) => clipped(tag, maxTagLength)),
      licenses: beat.licenses,
      currency,
      page: `${publicUrl}/beats/${beat_id}`,
    };
  },
});
