import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { clientInterface } from "./interface.ts";
import type { ClientInterface } from "./types.ts";

let api: ClientInterface;
beforeAll(async () => {
  const text = await readFile(new URL("../../../contract/openapi.json", import.meta.url), "utf8");
  api = clientInterface(JSON.parse(text));
});

const model = (name: string) => api.models.find((model) => model.name === name);
const operation = (id: string) => api.operations.find((operation) => operation.id === id);

describe("the interface of the clients", () => {
  it("has every operation with a method, and the method's parts", () => {
    expect(api.operations.map(({ resource, method }) => `${resource}.${method}`)).toContain("users.update_profile");
    expect(operation("search")).toMatchObject({ resource: null, method: "search" });
    expect(operation("search")?.queryParameters[0]).toMatchObject({ name: "q", isRequired: true });
    expect(operation("createOrder")).toMatchObject({ isIdempotent: true, bodyName: "OrderRequest" });
    expect(operation("updateBeat")).toMatchObject({ isConditional: true, path: "/beats/{beat_id}" });
  });

  it("omits the token of next_page_url", () => {
    expect(operation("listBeats")?.queryParameters.map(({ name }) => name)).not.toContain("after");
    expect(operation("listChanges")?.queryParameters.map(({ name }) => name)).toContain("after");
  });

  it("describes parameters with commas as lists", () => {
    const genre = operation("listBeats")?.queryParameters.find(({ name }) => name === "genre");
    expect(genre).toMatchObject({ type: { kind: "list", items: { kind: "integer" } } });
    expect(genre?.description).toBe("Only beats of the genres with these ids.");
  });

  it("distinguishes the kinds of results", () => {
    const kind = (id: string) => operation(id)?.result.kind;
    expect(
      ["getBeat", "listOrderFiles", "listGenres", "listBeats", "listChanges", "exportBeats", "deleteUpload"].map(kind),
    ).toEqual(["object", "data", "array", "pages", "positions", "file", "none"]);
    expect(operation("search")?.result).toMatchObject({ items: [{ key: "beats" }, { key: "producers" }] });
  });

  it("moves fields that only lists by ids have to the detailed model", () => {
    expect(model("Beat")?.fields.map(({ name }) => name)).not.toContain("licenses");
    expect(model("BeatDetail")).toMatchObject({ parent: "Beat" });
  });

  it("names nested objects and enumerations once", () => {
    const names = [...api.models, ...api.enums].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(model("Producer")?.fields.find(({ name }) => name === "genres")?.type).toEqual({
      kind: "list",
      items: { kind: "model", name: "GenreName" },
    });
    expect(api.enums.filter(({ values }) => values.includes("unlimited"))).toHaveLength(1);
  });

  it("merges the shapes of an object", () => {
    const value = model("FacetCount")?.fields.find(({ name }) => name === "value");
    expect(value?.type).toMatchObject({ kind: "union" });
    expect(model("FacetCount")?.fields.find(({ name }) => name === "max")).toMatchObject({ isRequired: false });
  });

  it("has the model of each event's data", () => {
    expect(api.eventTypes).toContainEqual(
      expect.objectContaining({ type: "beat.purchased", name: "BeatPurchasedEvent", data: "Purchase" }),
    );
    expect(api.eventTypes).toContainEqual(
      expect.objectContaining({ type: "beat.publishing_failed", name: "BeatPublishingFailedEvent" }),
    );
  });

  it("describes every model, operation and parameter", () => {
    for (const { name, description } of api.models) expect(description, name).not.toBe("");
    for (const { id, description, queryParameters } of api.operations)
      for (const text of [description, ...queryParameters.map((parameter) => parameter.description)])
        expect(text, id).toMatch(/[.]$/);
  });
});
