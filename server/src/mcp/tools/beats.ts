import { clipped, dataOf, fitted, type Tool } from "@beatmarket/agent-tools/tool.ts";
import Type from "typebox";

const defaultLimit = 5;
const maxLimit = 10;

/** The tool that searches beats. `currency` is the currency of all prices. */
export const findBeats = (currency: string): Tool => ({
  name: "find_beats",
  description:
    "Find beats for sale. `query` takes words, genres, moods, tempos and keys as people type them: 'dark trap 140 bpm a minor'. Filters narrow it.",
  isReadOnly: true,
  input: Type.Object({
    query: Type.Optional(Type.String({ maxLength: 200 })),
    bpm_min: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    bpm_max: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    key: Type.Optional(Type.String({ maxLength: 50, description: "The musical key: 'A minor', 'Am' or '8A'." })),
    price_max: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, multipleOf: 0.01 })),
    limit: Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit }),
  }),
  call: async ({ query, limit, ...filters }, { request }) => {
    const parameters = new URLSearchParams({ limit: String(Math.min(Number(limit), maxLimit)) });
    for (const [name, value] of Object.entries(filters)) parameters.set(name, String(value));
    if (typeof query === "string" && query.trim() !== "") {
      parameters.set("q", query);
      parameters.set("type", "beats");
    } else parameters.set("sort", "popular");
    const path = parameters.has("q") ? "/v1/search" : "/v1/beats";
    const { beats, interpreted, totals, pagination } = dataOf(
      await request({ method: "GET", url: `${path}?${parameters}` }),
    ) as {
      beats: Record<string, unknown>[];
      interpreted?: object;
      totals?: { beats: number };
      pagination: { total: number };
    };
    const total = totals?.beats ?? pagination.total;
    return fitted("beats", beats.map(beatFacts), {
      total,
      currency,
      ...(interpreted !== undefined && { interpreted }),
    });
  },
});

const maxNameLength = 80;

/** The fields of a beat in a list of results. */
const beatFacts = (beat: Record<string, unknown>): object => ({
  id: beat.id,
  title: clipped(String(beat.title), maxNameLength),
  producer: clipped(String(beat.producer_name), maxNameLength),
  genre: (beat.genre as { name?: string } | null)?.name ?? null,
  bpm: beat.bpm,
  key: beat.key,
  price: beat.price,
});

const maxDescriptionLength = 300;
const maxTags = 10;
const maxTagLength = 40;

export const BeatId = Type.Integer({ minimum: 1, description: "The `id` of a beat." });

/** A beat in the form of the API, with description, tags and licenses. */
export interface BeatDetails extends Record<string, unknown> {
  title: string;
  description: string | null;
  tags: string[];
  licenses: { type: string; price: number; available: boolean }[];
}

export const getBeat = (publicUrl: string, currency: string): Tool => ({
  name: "get_beat",
  description: "Get a beat with its description, tags, licenses and prices.",
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

interface SimilarBeat extends Record<string, unknown> {
  similarity: { score: number; key_relation: string };
}

export const similarBeats: Tool = {
  name: "similar_beats",
  description: "Find beats that are similar to one by tempo, key and genre, best first.",
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
