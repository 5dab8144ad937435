import Type from "typebox";
import { expect, test } from "vitest";
import { openRoutes } from "../../testing/routes.ts";
import { ResponseWriter } from "../transport/response-writer.ts";
import { route } from "./api-route.ts";
import { versionHeader, type WireVersion } from "./wire-version.ts";

const newest: WireVersion = { date: "2020-02-02", reshapeOf: () => undefined };
/** In this version, numbers were texts. */
const first: WireVersion = {
  date: "2020-01-01",
  reshapeOf: (operation) =>
    operation === "getNumber" ? (body) => ({ ...body, data: String((body as { data: number }).data) }) : undefined,
};
const calls = new Map<string, number>();
const readRoute = (operationId: string) =>
  route({
    operationId,
    client: operationId,
    method: "GET",
    path: `/${operationId}`,
    tag: "",
    summary: "",
    description: "",
    permission: "read" as never,
    cached: true,
    examples: { success: {} },
    response: { status: 200, reference: Type.Number(), console: Type.Number() },
    present: { reference: () => 7, console: () => ({ data: 7 }) },
    handle: async () => calls.set(operationId, (calls.get(operationId) ?? 0) + 1),
  });
const routes = openRoutes([readRoute("getNumber"), readRoute("getSame")], undefined, new ResponseWriter(), {
  choose: ({ requestHeaders }) => (requestHeaders[versionHeader] === first.date ? first : newest),
  first,
});
const get = (operation: string, version: string) =>
  routes.inject({ url: `/${operation}`, headers: { [versionHeader]: version } });

test("versions with the same shape share a cached response; versions with different shapes do not", async () => {
  for (let round = 0; round < 4; round++)
    for (const { date } of [first, newest]) {
      const number = await get("getNumber", date);
      expect(number.json().data).toBe(date === first.date ? "7" : 7);
      const same = await get("getSame", date);
      expect(same.json().data).toBe(7);
      for (const response of [number, same])
        expect(response.headers).toMatchObject({
          [versionHeader]: date,
          vary: "Accept, Accept-Encoding, Beat-Version",
        });
    }
  // The cache admits a response on its second request.
  expect(Object.fromEntries(calls)).toEqual({ getNumber: 4, getSame: 2 });
});
