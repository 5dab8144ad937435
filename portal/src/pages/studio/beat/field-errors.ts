import { ApiError } from "../../../api/client.ts";

/** The fields that show an error next to them, by their names in the API. */
const shownFields = [
  "title",
  "genre",
  "tags",
  "description",
  "bpm",
  "key",
  "price",
  "license_prices.premium",
  "license_prices.unlimited",
  "license_prices.exclusive",
  "license_settings",
  "audio",
  "cover",
  "stems",
  "preview_tag",
  "publish_at",
];

/** The field that a refusal names, and what it says; null for one that is about the whole beat. */
export function fieldError(error: unknown): { field: string; message: string } | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  const named = /^The ([a-z_.]+) field /.exec(error.details)?.[1];
  const field =
    shownFields.find((field) => field === named) ??
    (named === "license_prices" ? "price" : named?.startsWith("license_settings.") ? "license_settings" : undefined);
  return field === undefined ? null : { field, message: error.details };
}

/** The element of a field, to focus the first one that is wrong. */
export const fieldId = (field: string): string => `beat-${field.replace(".", "-")}`;
