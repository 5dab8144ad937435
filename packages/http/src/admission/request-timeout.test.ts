import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openRoutes } from "../../testing/routes.ts";
import { openRoute } from "../pipeline/open-route.ts";
import { requestTimeoutMs } from "./request-timeout.ts";

const lookupMs = 15_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each(["GET", "POST"] as const)("the timeout of a %s covers the key's look-up and the handler", async (method) => {
  const slowLookup = {
    authenticate: () => new Promise<void>((resolve) => setTimeout(resolve, lookupMs)),
    limit: () => undefined,
    authorize: () => undefined,
  };
  const handler = vi.fn(() => new Promise<never>(() => {}));
  const routes = openRoutes([openRoute("/slow", handler, { method })], slowLookup as never);
  let status = 0;
  void routes.inject({ method, url: "/slow" }).then(({ statusCode }) => {
    status = statusCode;
  });
  await eventually(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(lookupMs);
  await eventually(() => expect(handler).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(requestTimeoutMs - lookupMs + 1);
  await eventually(() => expect(status).toBe(503));
});
