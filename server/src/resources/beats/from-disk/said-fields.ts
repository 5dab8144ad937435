import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { parseDecimal, readCents } from "@beatmarket/foundation/text/read-number.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { readValues } from "@beatmarket/http/input/validate.ts";
import Type from "typebox";
import { BeatFields } from "../publishing/schema.ts";
import type { SaidFields } from "./publish-file.ts";

const typedFields = Type.Omit(BeatFields, ["audio", "cover", "stems", "preview_tag"]);

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

const separator = /[,;|]/;

/**
 * Reads a beat's fields from a command line or a row of a file. Empty texts are absent. Tags are separated by commas,
 * semicolons or bars. Throws 400 naming the field, like `POST /beats`.
 */
export function readSaidText(text: SaidText, status: SaidFields["status"]): SaidFields {
  const filled = Object.fromEntries(
    Object.entries(text)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  ) as SaidText;
  const { premium, unlimited, exclusive, genre, price, bpm, tags, ...texts } = filled;
  const others = Object.entries({ premium, unlimited, exclusive }).filter(([, value]) => value !== undefined);
  const values: Record<string, unknown> = {
    ...texts,
    ...(genre !== undefined && { genre: /^\d+$/.test(genre) ? Number(genre) : genre }),
    ...(price !== undefined && { price: amountIn("price", price) }),
    ...(bpm !== undefined && { bpm: parseDecimal(bpm) ?? bpm }),
    ...(tags !== undefined && { tags: tags.split(separator).flatMap((tag) => tag.trim() || []) }),
    ...(others.length > 0 && {
      license_prices: Object.fromEntries(others.map(([name, value]) => [name, amountIn(name, value)])),
    }),
    status,
  };
  return readValues("field", typedFields, Object.entries(values)) as SaidFields;
}

/**
 * Throws for a text that could mean two amounts. A text that is no amount is returned unchanged, for the error that
 * quotes it.
 */
function amountIn(name: string, text = ""): unknown {
  const cents = readCents(text);
  if (typeof cents === "number") return cents / 100;
  if (cents === "not an amount") return text;
  const why = cents === "negative" ? "is below 0." : "may be thousands or decimals; write it as 1299.00 or 1.29.";
  throw invalidRequest(`The ${name} field ${why} Given: ${JSON.stringify(quoted(text))}.`, name);
}
