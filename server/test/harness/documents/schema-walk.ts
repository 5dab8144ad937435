/** The parts of an OpenAPI document that a walk needs. */
export type Node = Record<string, unknown>;

/** Every object of a document with its JSON Pointer, except the contents of examples and code samples. */
export function* nodesOf(value: unknown, pointer = "#"): Generator<[string, Node]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Node];
  for (const [name, item] of Object.entries(value))
    if (name !== "example" && name !== "x-codeSamples")
      yield* nodesOf(item, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}
