/** A driver's description of its client; see README.md, "describe". */
export interface Description {
  language: string;
  version: string;
  operations: Record<string, { method: string; path: string; parameters: string[]; body: string[] }>;
  models: Record<string, string[]>;
  events: Record<string, string>;
  errors: Record<string, string>;
}

/** The relevant parts of an OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    /** What webhooks carry, by event type. */
    pathItems: Record<string, { post: { requestBody: { content: { "application/json": { schema: Schema } } } } }>;
  };
}

interface DocumentedOperation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
}

interface Schema {
  $ref?: string;
  type?: string;
  enum?: string[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

/** What the clients deliberately lack, with the reason. */
const leftOut: Record<string, string> = {
  "listBeats.after": "opaque, and part of next_page_url, which the clients follow",
  "listProducers.after": "opaque, and part of next_page_url, which the clients follow",
  "listOrders.after": "opaque, and part of next_page_url, which the clients follow",
  "listSales.after": "opaque, and part of next_page_url, which the clients follow",
  "listOwnBeats.after": "opaque, and part of next_page_url, which the clients follow",
  "listEvents.last_event_id": "resumes an event stream; the clients read pages",
  "deleteUpload.tus_resumable": "the version of the protocol",
  createUpload: "a step of `uploads.upload`",
  getUploadOffset: "a step of `uploads.resume`",
  appendToUpload: "a step of `uploads.upload` and `uploads.resume`",
};

/** What the clients take and do not send, with the reason. */
const notSent: Record<string, string> = {
  "exportBeats.path": "the file that the export is written to",
  "exportSales.path": "the file that the month is written to",
};

/** Fields of a schema that the clients have in another model, which they give for lists by `ids`. */
const inBeatDetail = ["description", "tags", "licenses", "updated_at", "waveform_url", "analysis"];

/** Schemas without a client model: the console form, the envelopes of errors and events, and request bodies. */
const isNoModel = (name: string): boolean =>
  /^Console|Event$|^(ErrorResponse|OrderRequest|ProfileFields|BeatFields|BeatChanges)$/.test(name);

/** The differences between a client and the document, as sentences. */
export function differences(its: Description, document: Document): string[] {
  const documented = documentedDescription(document);
  return [
    ...compare("operation", documented.operations, its.operations, (name, wanted, given) => [
      ...(wanted.method === given.method && wanted.path === given.path
        ? []
        : [`${name} is ${given.method} ${given.path}, not ${wanted.method} ${wanted.path}`]),
      ...compareLists(
        `parameter of ${name}`,
        wanted.parameters,
        given.parameters.filter((parameter) => !(`${name}.${parameter}` in notSent)),
      ),
      ...compareLists(`body field of ${name}`, wanted.body, given.body),
    ]),
    ...compare("model", documented.models, its.models, (name, wanted, given) =>
      compareLists(`field of ${name}`, wanted, given),
    ),
    ...compare("event", documented.events, its.events, (name, wanted, given) =>
      wanted === given ? [] : [`the data of ${name} is a ${given}, not a ${wanted}`],
    ),
    ...compare("error code", documented.errors, its.errors, (name, wanted, given) =>
      wanted === given ? [] : [`${name} is a ${given}, not a ${wanted}`],
    ),
  ];
}

/** The error class of each code (README.md, "Errors"); the codes come from the document. */
const errorClasses: Record<string, string> = {
  invalid_request: "InvalidRequestError",
  unauthorized: "AuthenticationError",
  forbidden: "PermissionDeniedError",
  not_found: "NotFoundError",
  rate_limit_exceeded: "RateLimitError",
  server_error: "ServerError",
};

function documentedDescription({ paths, components: { schemas, pathItems } }: Document) {
  const operations = Object.entries(paths).flatMap(([path, methods]) => {
    const offered = Object.entries(methods).filter(([, { operationId }]) => !(operationId in leftOut));
    return offered.map(([method, { operationId, parameters, requestBody }]) => {
      const names = parameters
        .map(({ name, in: place }) => (place === "header" ? name.toLowerCase().replaceAll("-", "_") : name))
        .filter((name) => !(`${operationId}.${name}` in leftOut));
      const sent = requestBody?.content["application/json"].schema;
      const body = Object.keys((sent && resolve(sent, schemas).properties) ?? {});
      return [operationId, { method: method.toUpperCase(), path, parameters: names, body }] as const;
    });
  });
  const models = Object.entries(schemas)
    .filter(([name]) => !isNoModel(name))
    .map(([name, schema]) => {
      const fields = leaves(schema, schemas);
      const isElsewhere = (field: string) => name === "Beat" && inBeatDetail.includes(field.split(".")[0] as string);
      return [name, fields.filter((field) => !isElsewhere(field))] as const;
    });
  const events = Object.entries(pathItems).map(([type, { post }]) => {
    const { data } = resolve(post.requestBody.content["application/json"].schema, schemas).properties ?? {};
    return [type, data?.$ref?.split("/").at(-1) ?? "unknown"] as const;
  });
  const codes = schemas.ErrorResponse?.properties?.error?.properties?.code?.enum ?? [];
  return {
    operations: Object.fromEntries(operations),
    models: Object.fromEntries(models),
    events: Object.fromEntries(events),
    errors: Object.fromEntries(codes.map((code) => [code, errorClasses[code] ?? "a class of its own"])),
  };
}

function resolve(schema: Schema, schemas: Document["components"]["schemas"]): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
}

/** The one schema of those that may be null, else the schema itself. */
function nonNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return others.length === 1 ? (others[0] as Schema) : schema;
}

function leaves(schema: Schema, schemas: Document["components"]["schemas"], before = ""): string[] {
  const its = resolve(nonNull(schema), schemas);
  if (its.items !== undefined) return leaves(its.items, schemas, before);
  if (its.properties === undefined) return [before];
  return Object.entries(its.properties).flatMap(([name, field]) =>
    leaves(field, schemas, before === "" ? name : `${before}.${name}`),
  );
}

function compare<T>(
  what: string,
  wanted: Record<string, T>,
  given: Record<string, T>,
  both: (name: string, wanted: T, given: T) => string[],
): string[] {
  const shared = Object.keys(wanted).filter((name) => Object.hasOwn(given, name));
  return [
    ...compareLists(what, Object.keys(wanted), Object.keys(given)),
    ...shared.flatMap((name) => both(name, wanted[name] as T, given[name] as T)),
  ];
}

function compareLists(what: string, wanted: string[], given: string[]): string[] {
  return [
    ...wanted.filter((one) => !given.includes(one)).map((one) => `the ${what} ${one} is missing`),
    ...given.filter((one) => !wanted.includes(one)).map((one) => `the ${what} ${one} is not in the document`),
  ];
}
