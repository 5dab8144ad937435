import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { anonymousRate } from "@beatmarket/http/admission/anonymous-pacing.ts";
import { expect, test } from "vitest";
import { testApi } from "../harness/api.ts";

// No time passes on the fake clock, so an empty bucket stays empty.

test.each([
  ["to a path that needs no key", "/healthz", 200, undefined],
  ["without a key", "/v1/genres", 401, undefined],
  ["with a bad key", "/v1/genres", 429, "Bearer nonsense"],
])("a flood of requests %s is slowed down, requests with a key are not", async (_, url, status, authorization) => {
  const api = await testApi({ clock: new FakeClock(Date.now()) });
  const anonymous = () => api.request({ url, headers: { ...(authorization !== undefined && { authorization }) } });
  for (let requestCount = 0; requestCount < anonymousRate.burst; requestCount++) await anonymous();
  let isAnswered = false;
  const slow = anonymous().then((response) => {
    isAnswered = true;
    return response;
  });
  for (let requestCount = 0; requestCount < 20; requestCount++)
    expect((await api.get("/v1/genres")).statusCode).toBe(200);
  expect(isAnswered).toBe(false);
  expect((await slow).statusCode).toBe(status);
});
