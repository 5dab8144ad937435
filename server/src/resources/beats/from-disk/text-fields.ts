import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { parseDecimal, readCents } from "@beatmarket/foundation/text/read-number.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { readValues } from "@beatmarket/http/input/validate.ts";
import Type from "typebox";
import { BeatFields } from "../publishing/schema.ts";
import type { FieldsWithoutFiles } from "./publish-file.ts";

const textFields = Type.Omit(BeatFields, ["audio", "cover", "stems", "preview_tag"]);

export const textFieldNames = [
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
export type FieldTexts = Partial<Record<(typeof textFieldNames)[number], string>>;

const separator = /[,;|]/;

/**
 * Reads a beat's fields from a command line or a row of a file. Empty texts are absent. Tags are separated by commas,
 * semicolons or bars. Throws 400 naming the field, like `POST /beats`.
 */
export function readFieldTexts(text: FieldTexts, status: FieldsWithoutFiles["status"]): FieldsWithoutFiles {
  const filled = Object.fromEntries(
    Object.entries(text)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  ) as FieldTexts;
  const { premium, unlimited, exclusive, genre, price, bpm, tags, ...texts } = filled;
  const otherPrices = Object.entries({ premium, unlimited, exclusive }).filter(([, value]) => value !== undefined);
  const values: Record<string, unknown> = {
    ...texts,
    ...(genre !== undefined && { genre: /^\d+$/.test(genre) ? Number(genre) : genre }),
    ...(price !== undefined && { price: amountIn("price", price) }),
    ...(bpm !== undefined && { bpm: parseDecimal(bpm) ?? bpm }),
    ...(tags !== undefined && { tags: tags.split(separator).flatMap((tag) => tag.trim() || []) }),
    ...(otherPrices.length > 0 && {
      license_prices: Object.fromEntries(otherPrices.map(([name, value]) => [name, amountIn(name, value)])),
    }),
    status,
  };
  return readValues("field", textFields, Object.entries(values)) as FieldsWithoutFiles;
}

/**
 * Reads an amount. Throws for a negative amount and for a text that could mean two amounts. Returns a text that is no
 * amount unchanged: the validation quotes it in its error.
 */
function amountIn(name: string, text = ""): unknown {
  const cents = readCents(text);
  if (typeof cents === "number") return cents / 100;
  if (cents === "not an amount") return text;
  const problem = cents === "negative" ? "is below 0." : "may be thousands or decimals; write it as 1299.00 or 1.29.";
  throw invalidRequest(`The ${name} field ${problem} Given: ${JSON.stringify(quoted(text))}.`, name);
}
