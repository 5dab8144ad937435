import { expect, it } from "vitest";
import { publicUrl, testApi } from "../harness/api.ts";
import { unpromised } from "../harness/documents/promised-responses.ts";

const api = await testApi();
const bothTypes = "application/json, application/problem+json";
const ask = (url: string, accept: string, key = api.key) =>
  api.request({ method: "GET", url, headers: { authorization: `Bearer ${key}`, accept } });

it("errors are problem details if Accept names their media type", async () => {
  const problem = await ask("/v1/beats?genre=trap", bothTypes);
  expect(problem.headers["content-type"]).toBe("application/problem+json");
  const { error } = (await ask("/v1/beats?genre=trap", "application/json")).json();
  expect(problem.json()).toEqual({
    type: `${publicUrl}/portal/docs/api/errors#400`,
    title: error.message,
    status: 400,
    detail: error.details,
    code: "invalid_request",
    request_id: problem.headers["x-request-id"],
  });
  expect(unpromised("listBeats", problem)).toBeNull();
  expect((await ask("/v1/genres", bothTypes, "none")).json()).toMatchObject({ status: 401, code: "unauthorized" });
});

it("errors keep their body if Accept excludes the media type of problem details, or does not name it", async () => {
  for (const accept of ["application/problem+json;q=0, */*", "*/*", "application/*"])
    expect((await ask("/v1/beats?genre=trap", accept)).json()).toMatchObject({ status: "error" });
});

it("successes do not change", async () => {
  for (const accept of [bothTypes, "application/problem+json"]) {
    const genres = await ask("/v1/genres", accept);
    expect([genres.statusCode, genres.headers["content-type"]]).toEqual([200, "application/json"]);
    expect(genres.json()).toMatchObject({ status: "success" });
  }
});
