/**
 * A copy of an OpenAPI document in which objects have no other properties than the described ones. The published
 * document leaves responses open, because fields may be added (docs/api/versioning.md). A response of this release must
 * have exactly the promised fields.
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
