import Type from "typebox";
import { readValues } from "../../../http/input/validate.ts";
import { BeatFields } from "../publishing/schema.ts";
import type { SaidFields } from "./publish-file.ts";

const said = Type.Omit(BeatFields, ["audio", "cover", "stems", "preview_tag"]);

/** The names that `readSaidText` knows. */
export const saidNames = [
  "title",
  "genre",
  "price",
  "premium",
  "unlimited",
  "exclusive",
  "bpm",
  "key",
  "tags",
  "description",
] as const;
export type SaidText = Partial<Record<(typeof saidNames)[number], string>>;

const number = /^-?\d+(\.\d+)?$/;
const separator = /[,;|]/;

/**
 * Reads what a command line or a row of a file says of a beat; empty texts are absent. Tags are separated by commas,
 * semicolons or bars. Throws 400 naming the field, as `POST /beats` does.
 */
export function readSaidText(text: SaidText, status: SaidFields["status"]): SaidFields {
  const given = Object.fromEntries(
    Object.entries(text)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  ) as SaidText;
  const { premium, unlimited, exclusive, genre, price, bpm, tags, ...texts } = given;
  const others = Object.entries({ premium, unlimited, exclusive }).filter(([, value]) => value !== undefined);
  const values: Record<string, unknown> = {
    ...texts,
    ...(genre !== undefined && { genre: /^\d+$/.test(genre) ? Number(genre) : genre }),
    ...(price !== undefined && { price: numberIn(price) }),
    ...(bpm !== undefined && { bpm: numberIn(bpm) }),
    ...(tags !== undefined && { tags: tags.split(separator).flatMap((tag) => tag.trim() || []) }),
    ...(others.length > 0 && {
      license_prices: Object.fromEntries(others.map(([name, value]) => [name, numberIn(value)])),
    }),
    status,
  };
  return readValues("field", said, Object.entries(values)) as SaidFields;
}

/** A text that is no number stays one, for the error that quotes it. */
const numberIn = (text: string | undefined): unknown => (text !== undefined && number.test(text) ? Number(text) : text);
