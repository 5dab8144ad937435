import { ApiError } from "../../../api/client.ts";

/** The fields that can show an error, by their names in the API. */
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

/** The field and the message of an error from the API; null for an error about the whole beat. */
export function fieldError(error: unknown): { field: string; message: string } | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  const fieldName = /^The ([a-z_.]+) field /.exec(error.details)?.[1];
  const field = shownFields.find((name) => name === fieldName) ?? groupFieldOf(fieldName);
  return field === undefined ? null : { field, message: error.details };
}

/** The form field that shows errors of a group of fields. */
function groupFieldOf(fieldName: string | undefined): string | undefined {
  if (fieldName === "license_prices") return "price";
  return fieldName?.startsWith("license_settings.") ? "license_settings" : undefined;
}

/** The id of a field's element. The form focuses the first field with an error. */
export const fieldId = (field: string): string => `beat-${field.replace(".", "-")}`;
