import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { distance } from "fastest-levenshtein";

/** Creates the 400 for an unknown name, with the nearest known name as a suggestion. `noun`: "parameter" or "field". */
export function unknownName(noun: string, name: string, names: readonly string[]): Error {
  const quotedName = quoted(name);
  return invalidRequest(`Unknown ${noun} ${JSON.stringify(quotedName)}. ${hintFor(noun, name, names)}`, quotedName);
}

function hintFor(noun: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  if (names.length === 0) return `This endpoint takes no ${noun}s.`;
  return `Known ${noun}s: ${names.join(", ")}.`;
}

/** Returns the known name that is closest to a misspelt name; undefined if no name is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const typed = name.slice(0, 60).toLowerCase();
  return names
    .map((candidate) => ({ candidate, edits: distance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}
