import type { BeatFilters, Range } from "@beatmarket/catalogue-index/query.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { compatibleKeys, parseKey, unknownKeyCode } from "@beatmarket/foundation/music/musical-key.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { firstSecond, lastSecond } from "@beatmarket/http/input/times.ts";
import type { Static, TObject } from "typebox";
import { licenseBits } from "../licensing/licenses.ts";
import type { filterParameters } from "./parameters.ts";

export type FilterQuery = Static<TObject<typeof filterParameters>>;

/**
 * The filters of a request (docs/api/beats.md, Filters). Throws invalid_request for a key or time that cannot be read,
 * a repeated tag, two parameters that contradict each other, and a parameter that needs `bpm`.
 */
export function readFilters(query: FilterQuery): BeatFilters {
  requireOrder("price", query.price_min, query.price_max);
  requireOrder("duration", query.duration_min, query.duration_max);
  return {
    genres: query.genre,
    producers: query.producer,
    keys: readKeys(query),
    tags: distinctTags(query.tag),
    bpm: readBpm(query),
    priceCents: rangeOf(cents(query.price_min), cents(query.price_max)),
    durationSeconds: rangeOf(query.duration_min, query.duration_max),
    createdAtMicroseconds: readTimes(query),
    availableLicenses: query.license?.reduce((bits, type) => bits | licenseBits[type], 0),
  };
}

/** Throws for two tags that are equal or differ only in case. */
function distinctTags(tags: string[] | undefined): string[] | undefined {
  const folded = tags?.map((tag) => tag.normalize("NFC").toLowerCase());
  const repeatedIndex = folded?.findIndex((tag, index) => folded.indexOf(tag) !== index) ?? -1;
  if (repeatedIndex >= 0)
    throw invalidRequest(`The tag parameter names ${printable(tags?.[repeatedIndex] ?? "")} more than once.`, "tag");
  return tags;
}

const rangeOf = (min: number | undefined, max: number | undefined): Range | undefined =>
  min === undefined && max === undefined ? undefined : { min, max };

const cents = (price: number | undefined): number | undefined =>
  price === undefined ? undefined : Math.round(price * 100);

function requireOrder(name: string, min: number | undefined, max: number | undefined): void {
  if (min !== undefined && max !== undefined && min > max)
    throw invalidRequest(
      `The ${name}_min parameter, ${min}, is more than ${name}_max, ${max}; exchange them, or leave one out.`,
      `${name}_min`,
    );
}

function readBpm({ bpm, bpm_min, bpm_max, bpm_tolerance, half_double }: FilterQuery): Range[] | undefined {
  if (bpm === undefined) {
    for (const [name, value] of Object.entries({ bpm_tolerance, half_double }))
      if (value !== undefined)
        throw invalidRequest(`The ${name} parameter goes with bpm; send bpm, or leave it out.`, name);
    requireOrder("bpm", bpm_min, bpm_max);
    const range = rangeOf(bpm_min, bpm_max);
    return range && [range];
  }
  for (const [name, value] of Object.entries({ bpm_min, bpm_max }))
    if (value !== undefined)
      throw invalidRequest(
        `The bpm and ${name} parameters exclude each other; send bpm with bpm_tolerance, or bpm_min and bpm_max.`,
        name,
      );
  const percent = bpm_tolerance ?? 0;
  return (half_double === true ? [1, 0.5, 2] : [1]).map((octave) =>
    wholeWithin((bpm * octave * (100 - percent)) / 100, (bpm * octave * (100 + percent)) / 100),
  );
}

/** The whole numbers in a range, possibly none. Fractions below a millionth are rounding errors. */
const wholeWithin = (min: number, max: number): Range => ({ min: Math.ceil(min - 1e-6), max: Math.floor(max + 1e-6) });

function readKeys({ key, key_compatible }: FilterQuery): number[] | undefined {
  const keys = key && [...new Set(key.map((text) => readKey("key", text)))];
  const compatible =
    key_compatible === undefined ? undefined : compatibleKeys(readKey("key_compatible", key_compatible));
  if (keys === undefined || compatible === undefined) return keys ?? compatible;
  const commonKeys = keys.filter((code) => compatible.includes(code));
  if (commonKeys.length === 0)
    throw invalidRequest(
      `The key and key_compatible parameters exclude each other: no key of ${printable(key?.join(",") ?? "")} mixes with ${printable(key_compatible ?? "")}; leave one out.`,
      "key",
    );
  return commonKeys;
}

/** The code of a key. Only the parameter `key` accepts `unknown`, for beats without one. Throws for any other text. */
function readKey(name: "key" | "key_compatible", text: string): number {
  if (name === "key" && text.toLowerCase() === "unknown") return unknownKeyCode;
  const { key, keyCode } = parseKey(text);
  if (keyCode !== unknownKeyCode) return keyCode;
  const spellings = "Write a key as A minor, Am or 8A, a sharp as F# minor or F%23m in a URL";
  const isNote = /^[A-G]#?$/.test(key);
  throw invalidRequest(
    isNote
      ? `The ${name} parameter names the note ${printable(text)} without its mode; write ${key} major or ${key} minor.`
      : `The ${name} parameter names ${printable(text)}, which is not a key. ${spellings}${name === "key" ? "; write unknown to find beats without a key" : ""}.`,
    name,
  );
}

const printable = (text: string): string => JSON.stringify(quoted(text.trim()));

function readTimes({ created_after, created_before }: FilterQuery): Range | undefined {
  const min = created_after === undefined ? undefined : firstSecond("created_after", created_after);
  const max = created_before === undefined ? undefined : lastSecond("created_before", created_before);
  if (min !== undefined && max !== undefined && min > max)
    throw invalidRequest(
      `The created_after parameter, ${created_after}, is later than created_before, ${created_before}; exchange them, or leave one out.`,
      "created_after",
    );
  // The range includes the whole last second, since responses show created_at in whole seconds.
  return rangeOf(min && min * 1e6, max && max * 1e6 + 999_999);
}
