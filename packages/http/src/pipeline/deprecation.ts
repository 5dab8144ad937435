import type { TObject } from "typebox";

/** When a part of the API was deprecated, and when it ends (docs/api/versioning.md, Deprecation). ISO 8601 dates, UTC. */
export interface Deprecation {
  since: string;
  /** The first day on which it may be removed: at least twelve months after `since`. */
  sunset: string;
}

/** The deprecated parts of a route: the whole operation, or a parameter or field whose schema has `x-deprecation`. */
export interface Deprecations {
  operation: Deprecation | undefined;
  parameters: Readonly<Record<string, Deprecation>>;
  fields: Readonly<Record<string, Deprecation>>;
}

/**
 * Returns undefined if no part of the route is deprecated. Throws if a sunset is less than twelve months after the
 * deprecation.
 */
export function deprecationsOf(row: {
  deprecation?: Deprecation;
  query?: TObject;
  body?: TObject;
}): Deprecations | undefined {
  const deprecations = { operation: row.deprecation, parameters: marked(row.query), fields: marked(row.body) };
  const none =
    deprecations.operation === undefined &&
    [deprecations.parameters, deprecations.fields].every((one) => Object.keys(one).length === 0);
  const all = [
    deprecations.operation,
    ...Object.values(deprecations.parameters),
    ...Object.values(deprecations.fields),
  ];
  for (const one of all) if (one !== undefined) requireTwelveMonths(one);
  return none ? undefined : deprecations;
}

function requireTwelveMonths({ since, sunset }: Deprecation): void {
  const yearLater = new Date(since);
  yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1);
  if (!(Date.parse(sunset) >= yearLater.getTime()))
    throw new Error(`What is deprecated since ${since} stays for twelve months, so it cannot end at ${sunset}.`);
}

function marked(schema: TObject | undefined): Record<string, Deprecation> {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, { "x-deprecation"?: Deprecation }>);
  return Object.fromEntries(
    properties.flatMap(([name, { "x-deprecation": deprecations }]) =>
      deprecations === undefined ? [] : [[name, deprecations]],
    ),
  );
}

/**
 * The headers of a response to a request that uses a deprecated part: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * a `Link` to the documentation. If several parts are deprecated, the one with the earliest sunset counts.
 */
export function deprecationHeaders(
  { operation, parameters, fields }: Deprecations,
  used: { parameters: readonly string[]; fields: readonly string[] },
  documentationUrl: string,
): Record<string, string> {
  const headers = [
    operation,
    ...used.parameters.map((name) => parameters[name]),
    ...used.fields.map((name) => fields[name]),
  ].filter((each) => each !== undefined);
  const [first] = headers.toSorted((a, b) => Date.parse(a.sunset) - Date.parse(b.sunset));
  if (first === undefined) return {};
  return {
    deprecation: `@${Date.parse(first.since) / 1000}`,
    sunset: new Date(first.sunset).toUTCString(),
    link: `<${documentationUrl}>; rel="deprecation"; type="text/html"`,
  };
}
