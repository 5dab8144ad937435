import Type from "typebox";
import { fitted } from "../answer.ts";
import { dataOf, type Tool } from "../tool.ts";
import { beatFacts } from "./beat-facts.ts";

const defaultLimit = 5;
const maxLimit = 10;

/** `currency`: the currency of all prices. */
export const findBeats = (currency: string): Tool => ({
  name: "find_beats",
  description:
    "Find beats for sale. `query` takes words, genres, moods, tempos and keys as people type them: 'dark trap 140 bpm a minor'. Filters narrow it.",
  isReadOnly: true,
  input: Type.Object({
    query: Type.Optional(Type.String({ maxLength: 200 })),
    bpm_min: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    bpm_max: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    key: Type.Optional(Type.String({ maxLength: 50, description: "'A minor', 'Am' or '8A'" })),
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
