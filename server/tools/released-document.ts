/** The fields that explain the API, but have no effect on a client. */
const explanations = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "tags",
  "x-codeSamples",
  "info",
  "openapi",
]);

/** The parts of an OpenAPI document on which clients rely, as contract/released/ stores them. */
export function releasedDocument(document: object): object {
  return reduced(document, true) as object;
}

/**
 * `isNode` is false for a map such as `properties`, whose keys are freely chosen: a property called `description`
 * stays.
 */
function reduced(value: unknown, isNode: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => reduced(item, true));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isNode || !explanations.has(name))
      .map(([name, item]) => [name, reduced(item, !isNode || !mapKeywords.has(name))]),
  );
}

const mapKeywords = new Set(["properties", "schemas", "headers", "responses", "paths", "webhooks", "pathItems"]);
