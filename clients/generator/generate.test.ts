import { readdir, readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { generate, generatedFolders } from "./generate.ts";
import type { Document, Schema } from "./interface/document.ts";
import { clientInterface } from "./interface/interface.ts";

const clients = new URL("../", import.meta.url);

let text: string;
const document = (): Document => JSON.parse(text);
beforeAll(async () => {
  text = await readFile(new URL("../contract/openapi.json", clients), "utf8");
});

/** Adds a field to every schema of a beat or of its input, and a filter by that field. */
function withMood(original: Document): Document {
  const { Beat, BeatDetail, SimilarBeat, BeatUpdated, BeatFields, BeatChanges } = original.components.schemas;
  for (const schema of [Beat, BeatDetail, SimilarBeat, BeatUpdated] as Schema[]) {
    schema.properties = { ...schema.properties, mood: { type: "string", description: "How it feels." } };
    schema.required = [...(schema.required ?? []), "mood"];
  }
  for (const schema of [BeatFields, BeatChanges] as Schema[])
    schema.properties = { ...schema.properties, mood: { type: "string", description: "How it feels." } };
  original.paths["/beats"]?.get?.parameters.push({
    name: "mood",
    in: "query",
    description: "Only beats of this mood.",
    schema: { type: "string" },
  });
  return original;
}

describe("the generated files of the clients", () => {
  it("match contract/openapi.json (npm run contract)", async () => {
    for (const { path, text: expectedText } of generate(document()))
      expect(await readFile(new URL(path, clients), "utf8"), path).toBe(expectedText);
  });

  it("are the only files in their folders", async () => {
    const paths = generate(document()).map(({ path }) => path);
    for (const folder of generatedFolders)
      for (const name of await readdir(new URL(folder, clients), { recursive: true }))
        if (/\.\w+$/.test(name) && !name.includes("__pycache__")) expect(paths).toContain(`${folder}${name}`);
  });

  it("name their source in a comment", async () => {
    // JSON has no comments.
    for (const { path, text: code } of generate(document()).filter((file) => !file.path.endsWith(".json")))
      expect(code.split("\n").slice(0, 12).join("\n"), path).toMatch(
        /[Gg]enerated from (contract\/openapi.json|_async by npm run contract)/,
      );
  });

  it("contain a new field of beats in models, inputs and filters, and no new file", async () => {
    const before = new Map(generate(document()).map(({ path, text: code }) => [path, code]));
    const after = generate(withMood(document()));
    expect(after.map(({ path }) => path)).toEqual([...before.keys()]);
    for (const language of new Set(after.map(({ path }) => path.split("/")[0]).filter((first) => first !== ".."))) {
      const changedFiles = after.filter(
        ({ path, text: code }) => path.startsWith(`${language}/`) && code !== before.get(path),
      );
      expect(changedFiles.map(({ text: code }) => code).join("\n"), language).toMatch(/Only beats of this mood/);
      expect(changedFiles.map(({ text: code }) => code).join("\n"), language).toMatch(/How it feels/);
    }
  });
});

describe("a document that clients cannot express is refused with the reason", () => {
  it("an error code without a name for its error class", () => {
    const changedDocument = document();
    changedDocument.components.schemas.ErrorResponse?.properties?.error?.properties?.code?.enum?.push("teapot");
    expect(() => clientInterface(changedDocument)).toThrow(
      "Name the error class of the code teapot in clients/generator/interface/names.ts.",
    );
  });

  it("a resource without a description", () => {
    const changedDocument = document();
    Object.assign(changedDocument.paths["/genres"]?.get ?? {}, { "x-client-method": "albums.list" });
    expect(() => clientInterface(changedDocument)).toThrow(
      "Say what albums are in clients/generator/interface/names.ts.",
    );
  });
});
