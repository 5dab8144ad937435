import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, expect, test } from "vitest";
import { mailedToken, type TestPortal, testPassword, testPortal } from "../../../test/harness/portal.ts";

let portal: TestPortal;
const clock = new FakeClock(Date.now());
beforeAll(async () => {
  portal = await testPortal({ clock });
});

/** Skips an hour, so that attempts of other tests from the same network no longer count. */
const later = () => clock.advance(3_600_000);

const next = "/market/beats/7?buy=premium&price=22";
const linkIn = (email: string, page: string) =>
  portal.mails.findLast(({ to }) => to === email)?.text.match(new RegExp(`https://\\S+/portal/${page}\\S*`))?.[0] ?? "";
const nextOf = (link: string) => new URL(link).searchParams.get("next");
const send = (path: string, body: object) => portal.visitor().send("POST", path, body);
const registration = (email: string) => ({ name: "Ada", email, password: testPassword });

test("the links of all three mails about a registration or a reset contain the path of the visitor's page", async () => {
  later();
  const email = "from-a-beat@example.com";
  expect((await send("/auth/register", { ...registration(email), next })).statusCode).toBe(202);
  const token = await mailedToken(portal.mails, email);
  expect(nextOf(linkIn(email, "confirm"))).toBe(next);
  expect(linkIn(email, "confirm")).toMatch(new RegExp(`#${token}$`));
  await send("/auth/confirm", { token, password: testPassword });

  later();
  await send("/auth/register", { ...registration(email), next });
  await expect.poll(() => linkIn(email, "sign-in")).not.toBe("");
  expect(nextOf(linkIn(email, "sign-in"))).toBe(next);
  expect(nextOf(linkIn(email, "forgot-password"))).toBe(next);

  later();
  await send("/auth/request-reset", { email, next });
  await expect.poll(() => linkIn(email, "reset-password")).not.toBe("");
  expect(nextOf(linkIn(email, "reset-password"))).toBe(next);
});

test.each(["https://evil.example", "//evil.example", "/\\evil.example", "market", "", "/a b", `/${"a".repeat(500)}`])(
  "a text that is not a path of this site, or is too long, is 400: %j",
  async (path) => {
    later();
    for (const [route, body] of [
      ["/auth/register", registration("nobody@example.com")],
      ["/auth/request-reset", { email: "nobody@example.com" }],
    ] as const) {
      const response = await send(route, { ...body, next: path });
      expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining("next")]);
    }
  },
);
