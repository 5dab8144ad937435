import fc from "fast-check";

/** Whether the document allows a request. "unclear": it does, and the service may still refuse it as malformed. */
export type Validity = "valid" | "unclear" | "invalid";

export interface Part<Value> {
  value: Value;
  validity: Validity;
}

/** What the account of the key with all permissions has; no schema can say these. */
export interface KnownIds {
  playlists: string[];
  /** Of anyone. */
  licenses: readonly string[];
  /** Drafts of its own. */
  beats: readonly number[];
  /** Any uploads of its own, in any state. */
  uploads: readonly string[];
  /** Those of them that are ready, by kind. */
  audio: readonly string[];
  covers: readonly string[];
  stems: readonly string[];
  /** Names of genres that there are. */
  genres: readonly string[];
}

export const valid = <Value>(value: Value): Part<Value> => ({ value, validity: "valid" });
export const unclear = <Value>(value: Value): Part<Value> => ({ value, validity: "unclear" });
export const invalid = <Value>(value: Value): Part<Value> => ({ value, validity: "invalid" });

export function together(parts: readonly Part<unknown>[]): Validity {
  const found = new Set(parts.map(({ validity }) => validity));
  if (found.has("invalid")) return "invalid";
  return found.has("unclear") ? "unclear" : "valid";
}

/** Mostly what is valid, at times what is at an edge of it, seldom what is not. */
export const mixed = <Value>(
  good: fc.Arbitrary<Part<Value>>,
  edge: fc.Arbitrary<Part<Value>>,
  bad: fc.Arbitrary<Part<Value>>,
) => fc.oneof({ weight: 6, arbitrary: good }, { weight: 2, arbitrary: edge }, { weight: 1, arbitrary: bad });
