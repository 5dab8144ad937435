import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { distance } from "fastest-levenshtein";

/** Creates the 400 for an unknown name, which suggests the nearest known one. `noun` is "parameter" or "field". */
export function unknownName(noun: string, name: string, names: readonly string[]): Error {
  const quotedName = quoted(name);
  const near = nearestName(name, names);
  const hint =
    near !== undefined
      ? ` Did you mean ${near}?`
      : names.length === 0
        ? ` This endpoint takes no ${noun}s.`
        : ` Known ${noun}s: ${names.join(", ")}.`;
  return invalidRequest(`Unknown ${noun} ${JSON.stringify(quotedName)}.${hint}`, quotedName);
}

/** Returns the known name closest to a misspelt one; undefined if none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const typed = name.slice(0, 60).toLowerCase();
  return names
    .map((candidate) => ({ candidate, edits: distance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}
