import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { metadata, partType, uploadApi } from "../../../test/harness/uploads.ts";

// Requirements of tus 1.0 that an ordinary upload does not need.

const { tus, create, append } = await uploadApi();
const file = randomBytes(100);
const detailsOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { details: string } }).error.details;

test("X-HTTP-Method-Override works with any method of the request", async () => {
  const path = await create(100);
  const sendAs = (method: string, headers: Record<string, string> = {}, body?: Uint8Array) =>
    tus("POST", path, { "x-http-method-override": method, ...headers }, body);
  const part = { "content-type": partType, "upload-offset": "0" };
  const partResponse = await sendAs("PATCH", part, file.subarray(0, 40));
  expect([partResponse.status, partResponse.headers.get("upload-offset")]).toEqual([204, "40"]);
  const head = await sendAs("HEAD");
  expect([head.status, head.headers.get("upload-offset"), head.headers.get("cache-control")]).toEqual([
    200,
    "40",
    "no-store",
  ]);
  expect(await head.text()).toBe("");
  const response = await tus(
    "PUT",
    path,
    { ...part, "upload-offset": "40", "x-http-method-override": "patch" },
    file.subarray(40, 60),
  );
  expect(response.status).toBe(204);
  expect((await tus("POST", path, { ...part, "x-http-method-override": "GET" })).status).toBe(200);
  expect((await sendAs("DELETE")).status).toBe(204);
  expect((await tus("HEAD", path)).status).toBe(404);
  const several = await sendAs("PATCH, DELETE");
  expect([several.status, await detailsOf(several)]).toEqual([
    400,
    "X-HTTP-Method-Override must be one method, such as PATCH.",
  ]);
  const unknown = await sendAs("MOVE");
  expect([unknown.status, await detailsOf(unknown)]).toEqual([
    405,
    expect.stringMatching(/^MOVE is not possible here/),
  ]);
  // Other paths ignore the header.
  const beats = await tus("POST", "/v1/beats?limit=1", { "x-http-method-override": "GET" }, new Uint8Array());
  expect(beats.status).not.toBe(200);
  expect((await tus("GET", "/v1/genres", { "x-http-method-override": "DELETE" })).status).toBe(200);
});

test.each(["application/offset+octet-stream; charset=utf-8", "Application/Offset+Octet-Stream", `${partType};q=1`])(
  "the Content-Type %s is accepted",
  async (type) => {
    const path = await create(100);
    expect((await append(path, 0, file.subarray(0, 40), { "content-type": type })).status).toBe(204);
    const creation = {
      "upload-length": "10",
      "upload-metadata": metadata("audio", "a.wav").replace(",", " , "),
      "content-type": type,
    };
    const created = await tus("POST", "/v1/uploads", creation, file.subarray(0, 10));
    expect([created.status, created.headers.get("upload-offset")]).toEqual([201, "10"]);
  },
);

test.each([
  ["Latin-1", Buffer.from("Ram\u00f3n.wav", "latin1")],
  ["UTF-16", Buffer.from("\ufeffa\u00f3.wav", "utf16le")],
  ["cut off UTF-8", Buffer.from("Ram\u00f3").subarray(0, -1)],
])("a file name in %s is answered with 400", async (_, filename) => {
  const response = await tus("POST", "/v1/uploads", {
    "upload-length": "10",
    "upload-metadata": `kind ${btoa("audio")},filename ${filename.toString("base64")}`,
  });
  expect(response.status).toBe(400);
  expect(await detailsOf(response)).toBe(
    "The filename in Upload-Metadata is not in UTF-8; encode the text as UTF-8 before Base64.",
  );
});
