import { join } from "node:path";
import { expect, test } from "vitest";
import { needsOf } from "./needs.mjs";
import { allRequirements } from "./requirements.mjs";

const root = join(import.meta.dirname, "../..");
const needs = (pattern: string) => {
  const { requirements, portal } = needsOf(root, [pattern], allRequirements);
  return { packages: requirements.flatMap(({ packages }) => packages), portal };
};

test("a test of pure functions needs no program and no portal", () => {
  expect(needs("packages/foundation/src/music")).toEqual({ packages: [], portal: false });
  expect(needs("packages/http/src/negotiation/forms.test")).toEqual({ packages: [], portal: false });
});

test.each([
  ["packages/http/src/rate-limit/redis-topologies", "redis-server"],
  ["packages/storage/src/storage.test", "openjdk-17-jre-headless"],
  ["portal/test/keys.browser", "chromium-headless-shell"],
  ["clients/conformance/examples", "php-sqlite3"],
  ["server/test/laws/supply-chain", "git"],
])("the tests %s need %s", (pattern, name) => {
  expect(needs(pattern).packages).toContain(name);
});

test("tests that start a server with the portal's pages need the portal", () => {
  expect(needs("portal/test/keys.browser").portal).toBe(true);
  expect(needs("server/test/journeys/start-up").portal).toBe(true);
  expect(needs("clients/packages/pack").portal).toBe(true);
});
