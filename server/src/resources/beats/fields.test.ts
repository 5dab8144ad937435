import { readFile } from "node:fs/promises";
import { contentTypes, type Form } from "@beatmarket/http/negotiation/forms.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
interface Operation {
  operationId: string;
  parameters?: { name?: string; $ref?: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
const document = JSON.parse(await readFile(new URL("../../../../contract/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** The names of the fields of list items, over all kinds of items. */
function fieldsOf(schema: Schema): string[] {
  const { items, anyOf, properties = {} } = resolved(schema);
  if (anyOf !== undefined) return anyOf.flatMap(fieldsOf);
  if (items !== undefined) return fieldsOf(items);
  return Object.keys(properties);
}

const listsOf = (form: Form, { responses }: Operation): Schema[] => {
  const data = resolved(responses["200"]?.content?.[contentTypes[form]]?.schema ?? {}).properties?.data ?? {};
  if (form === "console") return [data];
  const { beats, producers } = resolved(data).properties ?? {};
  return [beats, producers].filter((list) => list !== undefined);
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods)
    .filter(({ parameters }) => parameters?.some(({ name }) => name === "fields"))
    .map((operation) => [path, operation] as const),
);

const api = await testApi();
beforeAll(() => insertBeats(api.database, [{ title: "Dusk" }]));

it("`fields` is a parameter of listBeats and search", () => {
  expect(operations.map(([, { operationId }]) => operationId)).toEqual(["listBeats", "search"]);
});

describe.each(["reference", "console"] as const)("in the %s form, `fields`", (form) => {
  it.each(operations)("of %s accepts every field of a response, and returns no others", async (path, operation) => {
    const names = [...new Set(listsOf(form, operation).flatMap(fieldsOf))];
    expect(names).toEqual(expect.arrayContaining(["id", "title", "tags", "waveform_url", "analysis"]));
    const query = path === "/search" ? "q=dusk&" : "";
    const get = (fields: string) =>
      api.get(`/v1${path}?${query}fields=${fields}`, { headers: { accept: contentTypes[form] } });
    for (const name of names) {
      const response = await get(name);
      expect(response.statusCode, `${name}: ${response.body}`).toBe(200);
      const { data } = response.json();
      const objects = (form === "console" ? data : data.beats) as object[];
      for (const object of objects) expect(["type", name]).toEqual(expect.arrayContaining(Object.keys(object)));
    }
    const { data } = (await get("waveform_url,analysis,id")).json();
    const [beat] = form === "console" ? data : data.beats;
    expect(beat).toMatchObject({ id: expect.any(Number), waveform_url: null, analysis: null });
    expect((await get("wavform_url")).json().error.details).toContain("Did you mean waveform_url?");
  });
});
