import type { Node } from "./schema-walk.ts";

/**
 * The use of a schema. A request must still accept every value that it accepted. A response must still have every field
 * that it had.
 */
export type Use = "request" | "response";

export interface Comparison {
  use: Use;
  /** The components of both documents, to which references point. */
  released: Node;
  current: Node;
  /** ISO 8601. A deprecated part may be missing from the day of its sunset on. */
  today: string;
}

/**
 * Limits of a request that may only be relaxed. Each tests whether the current value refuses something that the
 * released value accepted.
 */
const isTighter: Record<string, (released: unknown, current: unknown) => boolean> = {
  minimum: (released, current) => released === undefined || Number(current) > Number(released),
  maximum: (released, current) => released === undefined || Number(current) < Number(released),
  minLength: (released, current) => Number(current) > Number(released ?? 0),
  maxLength: (released, current) => released === undefined || Number(current) < Number(released),
  minItems: (released, current) => Number(current) > Number(released ?? 0),
  maxItems: (released, current) => released === undefined || Number(current) < Number(released),
  pattern: (released, current) => released !== current && !isWiderList(String(released), String(current)),
};

/** Whether both patterns describe lists of names, and the current list contains all names of the released one. */
function isWiderList(released: string, current: string): boolean {
  const valuesOf = (pattern: string): string[] | null => {
    const [, values] = /^\^ \*\(([^()]+)\)\( \*, \*\(\1\)\)\* \*\$$/.exec(pattern) ?? [];
    return values?.split("|") ?? null;
  };
  const [before, after] = [valuesOf(released), valuesOf(current)];
  return before !== null && after !== null && before.every((value) => after.includes(value));
}

/** Whether the day of a part's sunset has come, so that the part may be missing. */
export const isPastSunset = (node: Node, today: string): boolean =>
  node.deprecated === true && String(node["x-sunset"]) <= today;

/** The parts of the released schema that the current one removes or narrows, as sentences that begin with `at`. */
export function narrowed(released: Node, current: Node, at: string, comparison: Comparison): string[] {
  const before = resolved(released, comparison.released);
  const after = resolved(current, comparison.current);
  return [
    ...narrowedTypes(before, after, at, comparison.use),
    ...narrowedProperties(before, after, at, comparison),
    ...lostValues(before, after, at, comparison.use),
    ...(comparison.use === "request" ? tightened(before, after, at) : []),
    ...(before.items === undefined
      ? []
      : narrowed(before.items as Node, (after.items ?? {}) as Node, `${at}[]`, comparison)),
    ...narrowedAlternatives(before, after, at, comparison),
  ];
}

/** Resolves the reference of a schema. Returns `X or null` as a nullable X. */
function resolved(schema: Node, components: Node): Node {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ""))?.[1];
  if (name !== undefined) return resolved((components.schemas as Record<string, Node>)[name] ?? {}, components);
  const alternatives = (schema.anyOf ?? []) as Node[];
  const values = alternatives.filter(({ type }) => type !== "null");
  if (values.length === alternatives.length || values.length !== 1) return schema;
  const value = resolved(values[0] as Node, components);
  return { ...value, type: [...typesOf(value), "null"] };
}

const typesOf = ({ type }: Node): string[] => [type ?? []].flat() as string[];

function narrowedTypes(before: Node, after: Node, at: string, use: Use): string[] {
  const [earlierTypes, currentTypes] = [typesOf(before), typesOf(after)];
  const lost =
    use === "request"
      ? earlierTypes.filter((type) => !currentTypes.includes(type))
      : currentTypes.filter((type) => !earlierTypes.includes(type));
  const changed = lost.length > 0 || (earlierTypes.length > 0 && currentTypes.length === 0);
  return [
    ...(changed ? [`${at} was ${earlierTypes.join(" or ")} and is ${currentTypes.join(" or ") || "anything"}`] : []),
    ...(before.format === after.format
      ? []
      : [`${at} had the format ${before.format ?? "of any"} and has ${after.format ?? "none"}`]),
  ];
}

function narrowedProperties(before: Node, after: Node, at: string, comparison: Comparison): string[] {
  const [earlierProperties, currentProperties] = [before, after].map(
    ({ properties = {} }) => properties as Record<string, Node>,
  ) as [Record<string, Node>, Record<string, Node>];
  const [wasRequired, isRequired] = [before, after].map(({ required = [] }) => required as string[]) as [
    string[],
    string[],
  ];
  const fields = Object.entries(earlierProperties).flatMap(([name, field]) => {
    const next = currentProperties[name];
    if (next !== undefined) return narrowed(field, next, `${at}.${name}`, comparison);
    return isPastSunset(field, comparison.today) ? [] : [`${at}.${name} is gone`];
  });
  const required =
    comparison.use === "request"
      ? isRequired.filter((name) => !wasRequired.includes(name)).map((name) => `${at}.${name} is newly required`)
      : wasRequired
          .filter((name) => name in currentProperties && !isRequired.includes(name))
          .map((name) => `${at}.${name} may be absent now`);
  const closed =
    comparison.use === "request" && after.additionalProperties === false && before.additionalProperties !== false;
  return [...fields, ...required, ...(closed ? [`${at} takes no further fields now`] : [])];
}

function tightened(before: Node, after: Node, at: string): string[] {
  return Object.entries(isTighter)
    .filter(([name, tighter]) => after[name] !== undefined && tighter(before[name], after[name]))
    .map(([name]) => `${at} has the ${name} ${after[name]} instead of ${before[name] ?? "none"}`);
}

/** A response may open or extend an enumeration. */
function lostValues(before: Node, after: Node, at: string, use: Use): string[] {
  const [earlierValues, currentValues] = [valuesOf(before), valuesOf(after)];
  if (currentValues === null) return [];
  if (earlierValues === null) return use === "request" ? [`${at} takes only ${currentValues.join(", ")} now`] : [];
  return earlierValues.filter((value) => !currentValues.includes(value)).map((value) => `${at} lost ${value}`);
}

function valuesOf(schema: Node): unknown[] | null {
  if ("const" in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

/** Matches alternatives by the constant of their `type`, or else by their position. */
function narrowedAlternatives(before: Node, after: Node, at: string, comparison: Comparison): string[] {
  const alternativesOf = (schema: Node, components: Node) =>
    new Map(
      ((schema.anyOf ?? schema.oneOf ?? []) as Node[]).map((alternative, index) => {
        const properties = (resolved(alternative, components).properties ?? {}) as Record<string, Node>;
        return [String(properties.type?.const ?? index), alternative];
      }),
    );
  const currentAlternatives = alternativesOf(after, comparison.current);
  return [...alternativesOf(before, comparison.released)].flatMap(([name, alternative]) => {
    const next = currentAlternatives.get(name);
    return next === undefined
      ? [`${at} lost its alternative ${name}`]
      : narrowed(alternative, next, `${at}<${name}>`, comparison);
  });
}
