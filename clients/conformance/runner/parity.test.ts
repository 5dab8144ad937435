import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clientInterface } from "../../generator/interface/interface.ts";
import { type Description, differences } from "./parity.ts";

const file = new URL("../../../contract/openapi.json", import.meta.url);
const api = clientInterface(JSON.parse(await readFile(file, "utf8")));

/** The description of a client with one operation, model, event and error code. */
const small: Description = {
  language: "small",
  version: "1",
  operations: { listGenres: { method: "GET", path: "/genres", parameters: [], body: [] } },
  models: { Genre: ["id", "name", "slug", "beats_count"] },
  events: { "user.registered": "User" },
  errors: { not_found: "NotFoundError" },
};

test("every missing part of a client is reported, and no correct part", () => {
  const problems = differences(small, api);
  for (const sentence of [
    "the operation createOrder is missing",
    "the model Order is missing",
    "the event beat.purchased is missing",
    "the error code forbidden is missing",
  ])
    expect(problems).toContain(sentence);
  expect(problems.join("\n")).not.toMatch(/listGenres|Genre|user\.registered|not_found|Console/);
});

test("every part of a client that differs from the document, or is not in it, is reported", () => {
  const problems = differences(
    {
      ...small,
      operations: {
        listGenres: { method: "POST", path: "/genres", parameters: ["page"], body: ["name"] },
        createOrder: { method: "POST", path: "/orders", parameters: [], body: ["beat_id", "payment_method"] },
        listBeats: { method: "GET", path: "/beats", parameters: ["after"], body: [] },
        deleteBeat: { method: "DELETE", path: "/beats/{beat_id}", parameters: [], body: [] },
      },
      models: { Genre: ["id", "title"], SimilarBeat: ["id"], Album: [] },
      events: { "user.registered": "Beat", "beat.sold": "Beat" },
      errors: { not_found: "ServerError", teapot: "APIStatusError" },
    },
    api,
  );
  for (const sentence of [
    "listGenres is POST /genres, not GET /genres",
    "the parameter page of listGenres is not in the document",
    "the body field name of listGenres is not in the document",
    "the parameter idempotency_key of createOrder is missing",
    "the body field license_type of createOrder is missing",
    "the parameter after of listBeats is not in the document",
    "the parameter genre of listBeats is missing",
    "the operation deleteBeat is not in the document",
    "the field slug of Genre is missing",
    "the field title of Genre is not in the document",
    "the field similarity.score of SimilarBeat is missing",
    "the model Album is not in the document",
    "the data of user.registered is a Beat, not a User",
    "the event beat.sold is not in the document",
    "not_found is a ServerError, not a NotFoundError",
    "the error code teapot is not in the document",
  ])
    expect(problems).toContain(sentence);
});
