import type { TObject } from "typebox";

/** The deprecation of a part of the API (docs/api/versioning.md, Deprecation). ISO 8601 dates, UTC. */
export interface Deprecation {
  since: string;
  /** The first day on which the part may be removed: at least twelve months after `since`. */
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
  const operation = row.deprecation;
  const parameters = deprecatedProperties(row.query);
  const fields = deprecatedProperties(row.body);
  const deprecations = [
    ...(operation === undefined ? [] : [operation]),
    ...Object.values(parameters),
    ...Object.values(fields),
  ];
  for (const deprecation of deprecations) requireTwelveMonths(deprecation);
  return deprecations.length === 0 ? undefined : { operation, parameters, fields };
}

function requireTwelveMonths({ since, sunset }: Deprecation): void {
  const yearLater = new Date(since);
  yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1);
  if (!(Date.parse(sunset) >= yearLater.getTime()))
    throw new Error(`A deprecation since ${since} must last for twelve months, so ${sunset} is too early a sunset.`);
}

/** The deprecations of properties, by name. */
function deprecatedProperties(schema: TObject | undefined): Record<string, Deprecation> {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, { "x-deprecation"?: Deprecation }>);
  return Object.fromEntries(
    properties.flatMap(([name, { "x-deprecation": deprecation }]) =>
      deprecation === undefined ? [] : [[name, deprecation]],
    ),
  );
}

/**
 * The headers of a response to a request that uses a deprecated part: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * a `Link` to the documentation. If the request uses several deprecated parts, the headers describe the one with the
 * earliest sunset. Empty if it uses none.
 */
export function deprecationHeaders(
  { operation, parameters, fields }: Deprecations,
  use: { parameters: readonly string[]; fields: readonly string[] },
  documentationUrl: string,
): Record<string, string> {
  const deprecations = [
    operation,
    ...use.parameters.map((name) => parameters[name]),
    ...use.fields.map((name) => fields[name]),
  ].filter((each) => each !== undefined);
  const [first] = deprecations.toSorted((a, b) => Date.parse(a.sunset) - Date.parse(b.sunset));
  if (first === undefined) return {};
  return {
    deprecation: `@${Date.parse(first.since) / 1000}`,
    sunset: new Date(first.sunset).toUTCString(),
    link: `<${documentationUrl}>; rel="deprecation"; type="text/html"`,
  };
}
