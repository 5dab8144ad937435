import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Form } from "@beatmarket/http/negotiation/forms.ts";
import type { Reshape, WireVersion } from "@beatmarket/http/pipeline/wire-version.ts";

/** A change that would break clients of earlier versions. */
interface DatedChange {
  /** The first version that has the change. */
  date: string;
  summary: string;
  /** Pure functions, by operation, that convert a response to the shape of the version before. */
  responses: Readonly<Record<string, Reshape>>;
  /** A pure function that converts the body of an event to the shape of the version before. */
  event?: (body: object) => object;
  /**
   * A pure function that converts a component of the OpenAPI document of the version before to the shape of this
   * version.
   */
  schema: (name: string, schema: JsonSchema) => JsonSchema;
}

/** An object's schema in the OpenAPI document. */
interface JsonSchema {
  properties?: Readonly<Record<string, object>>;
  required?: readonly string[];
}

type EventBody = { id: string; created_at: string; type: string; data: object };

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);

const withSecondsOfCreation = (body: object): object => {
  const { id, created_at: createdAt, ...rest } = body as EventBody;
  return { id, created: secondsOf(createdAt), ...rest };
};

const createdAt = { type: "string", format: "date-time", description: "When it happened, ISO 8601, whole seconds." };

/** The schema of an event with `created_at` instead of `created`. */
const withCreatedAt = ({ properties = {}, required = [], ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  required: required.map((name) => (name === "created" ? "created_at" : name)),
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) =>
      name === "created" ? ["created_at", createdAt] : [name, schema],
    ),
  ),
});

type InData = { data: { events: object[]; event: object } };

/**
 * The changes after the first version, oldest first. Presenters write the newest shape. A response for an older version
 * is converted by all changes after that version, newest first (docs/api/versioning.md).
 */
const changes: readonly DatedChange[] = [
  {
    date: "2026-11-28",
    summary:
      "Events have `created_at`, a time in ISO 8601 like every other object, instead of `created`, which counts Unix seconds.",
    responses: {
      listEvents: (body) => {
        const { data, ...rest } = body as InData;
        return { ...rest, data: { ...data, events: data.events.map(withSecondsOfCreation) } };
      },
      getEvent: (body, form) => {
        const { data, ...rest } = body as InData;
        return {
          ...rest,
          data:
            form === "reference" ? { ...data, event: withSecondsOfCreation(data.event) } : withSecondsOfCreation(data),
        };
      },
    },
    event: withSecondsOfCreation,
    schema: (name, schema) => (name.endsWith("Event") && schema.properties?.created ? withCreatedAt(schema) : schema),
  },
];

/** A dated version of the API. */
export interface ApiVersion extends WireVersion {
  summary: string;
  /** Converts the body of an event to the shape of this version; undefined if events have the newest shape. */
  reshapeEvent: ((body: object) => object) | undefined;
  /** Converts the schema of a component of the OpenAPI document from the first version to this version. */
  schemaOf(name: string, schema: object): object;
}

const firstDate = "2026-11-20";

/** All versions, oldest first. */
export const versions: readonly ApiVersion[] = [{ date: firstDate, summary: "The first version." }, ...changes].map(
  ({ date, summary }) => {
    const later = changes.filter((change) => change.date > date).reverse();
    const operations = new Set(later.flatMap(({ responses }) => Object.keys(responses)));
    const reshapes = new Map([...operations].map((operation) => [operation, chain(later, operation)]));
    const earlier = changes.filter((change) => change.date <= date);
    const ofEvents = later.flatMap(({ event }) => event ?? []);
    return {
      date,
      summary,
      reshapeOf: (operation) => reshapes.get(operation),
      schemaOf: (name, schema) => earlier.reduce((shaped, change) => change.schema(name, shaped), schema),
      reshapeEvent:
        ofEvents.length === 0 ? undefined : (body: object) => ofEvents.reduce((shaped, step) => step(shaped), body),
    };
  },
);

function chain(later: readonly DatedChange[], operation: string): Reshape {
  const steps = later.flatMap(({ responses }) => responses[operation] ?? []);
  return (body: object, form: Form) => steps.reduce((shaped, step) => step(shaped, form), body);
}

export const versionDates: readonly string[] = versions.map(({ date }) => date);

/** The default version of accounts, keys and endpoints, and the version of the contract. */
export const firstVersion = versions[0] as ApiVersion;

export const newestVersion = versions.at(-1) as ApiVersion;

/** The version of a date; null if there is none. */
export const versionOf = (date: string | null | undefined): ApiVersion | null =>
  versions.find((version) => version.date === date) ?? null;

/** The version that a header or field names. Throws 400, with the names of all versions, for an unknown version. */
export function readVersion(text: string, name: string, parameter: string): ApiVersion {
  const version = versionOf(text);
  if (version !== null) return version;
  throw invalidRequest(
    `${name} must be the date of a version of the API: ${versionDates.join(" or ")}. Given: ${JSON.stringify(quoted(text))}. The page /portal/docs/api/versioning says what each version changed.`,
    parameter,
  );
}

/** The date of the version that the field `version` names. Throws 400 like `readVersion`. */
export const versionField = (text: string): string => readVersion(text, "The version field", "version").date;
