/**
 * A copy of an OpenAPI document in which every object has its described properties and no others. The published document
 * leaves responses open, as fields may be added (docs/api/versioning.md); a response of this release has what it promises.
 */
export function closedObjects<Document>(document: Document): Document {
  return closed(document) as Document;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === "example" ? item : closed(item)]),
  );
  return copy.type === "object" && typeof copy.properties === "object"
    ? { ...copy, additionalProperties: false }
    : copy;
}
