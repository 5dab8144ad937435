import fc from "fast-check";

/**
 * Whether the document allows a request. "unclear": the document allows it, but the service may refuse it as malformed.
 */
export type Validity = "valid" | "unclear" | "invalid";

export interface Part<Value> {
  value: Value;
  validity: Validity;
}

/** Ids that no schema can list. "The account" is that of the key with all permissions. */
export interface KnownIds {
  /** Playlists of the account. */
  playlists: string[];
  /** Licenses of other accounts. */
  licenses: readonly string[];
  /** Drafts of the account. */
  beats: readonly number[];
  /** Uploads of the account, in any state. */
  uploads: readonly string[];
  /** The uploads that are ready, by kind. */
  audio: readonly string[];
  covers: readonly string[];
  stems: readonly string[];
  /** Names of existing genres. */
  genres: readonly string[];
}

export const valid = <Value>(value: Value): Part<Value> => ({ value, validity: "valid" });
export const unclear = <Value>(value: Value): Part<Value> => ({ value, validity: "unclear" });
export const invalid = <Value>(value: Value): Part<Value> => ({ value, validity: "invalid" });

export function together(parts: readonly Part<unknown>[]): Validity {
  const validities = new Set(parts.map(({ validity }) => validity));
  if (validities.has("invalid")) return "invalid";
  return validities.has("unclear") ? "unclear" : "valid";
}

/** Generates mostly valid values, sometimes values at a limit, seldom invalid values. */
export const mixedParts = <Value>(
  validParts: fc.Arbitrary<Part<Value>>,
  edge: fc.Arbitrary<Part<Value>>,
  invalidParts: fc.Arbitrary<Part<Value>>,
) =>
  fc.oneof(
    { weight: 6, arbitrary: validParts },
    { weight: 2, arbitrary: edge },
    { weight: 1, arbitrary: invalidParts },
  );
