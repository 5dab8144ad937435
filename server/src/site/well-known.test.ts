import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { expect, test } from "vitest";
import { wellKnownRoutes } from "./api-catalog.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 27, 12));
const app = openRoutes(wellKnownRoutes({ publicUrl: "https://beats.example.com", clock }));

test("a browser that saves passwords finds the page that changes a password", async () => {
  const { statusCode, headers } = await app.inject({ url: "/.well-known/change-password" });
  expect([statusCode, headers.location]).toEqual([302, "/portal/account/security"]);
});

test("security.txt has the fields of RFC 9116, and never expires while it is served", async () => {
  const readText = async () => (await app.inject({ url: "/.well-known/security.txt" })).body;
  expect(await readText()).toBe(`Contact: https://beats.example.com/contact
Expires: 2027-05-26T00:00:00Z
Preferred-Languages: en
Canonical: https://beats.example.com/.well-known/security.txt
`);
  clock.advance(365 * 86_400_000);
  expect(await readText()).toContain("Expires: 2028-05-25T00:00:00Z");
});
