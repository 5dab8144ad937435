import Type from "typebox";
import { describe, expect, it } from "vitest";
import { openRoutes } from "../../testing/routes.ts";
import { openRoute } from "../pipeline/open-route.ts";
import { readBody } from "./body.ts";

const schema = Type.Object({ name: Type.String() });
const readWithType = (contentType: string) => readBody(schema, contentType, Buffer.from('{"name":"Ä"}'));

describe("the type of a body", () => {
  it.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; charset=UTF8",
    "application/json; profile=x",
  ])("may be %s", (type) => {
    expect(readWithType(type)).toEqual({ name: "Ä" });
  });

  it.each([
    "application/json; charset=utf-7",
    "application/json;charset=UTF-16LE",
    'application/json; charset="iso-8859-1"',
    "application/json; charset=utf-8; charset=utf-7",
    "application/json; charset=",
  ])("must not be %s (415), since a charset in it is not UTF-8", (type) => {
    expect(() => readWithType(type)).toThrow(
      expect.objectContaining({ status: 415, details: expect.stringContaining("charset") }),
    );
  });

  it.each(["text/json", "application/jsonx", "application/json-seq"])("must not be %s (415)", (type) => {
    expect(() => readWithType(type)).toThrow(expect.objectContaining({ status: 415 }));
  });
});

describe("a content coding", () => {
  const routes = openRoutes([
    openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" }),
    openRoute("/read", () => ({ status: 200, body: "read" })),
  ]);
  const post = (coding: string) =>
    routes.inject({ method: "POST", url: "/echo", headers: { "content-encoding": coding }, payload: "{}" });

  it.each(["gzip", "br", "deflate", "zstd", "x-gzip", "compress", "gzip, identity", "nonsense"])(
    "%s of a body gets 415 with a message that names the coding",
    async (coding) => {
      const response = await post(coding);
      expect(response.statusCode).toBe(415);
      expect(response.json().error.details).toContain(`Content-Encoding header names "${coding}"`);
      expect(response.headers["accept-encoding"]).toBe("identity");
    },
  );

  it("identity, or any coding of a request without a body, is accepted", async () => {
    expect((await post("identity")).statusCode).toBe(200);
    expect((await routes.inject({ url: "/read", headers: { "content-encoding": "gzip" } })).statusCode).toBe(200);
  });
});
