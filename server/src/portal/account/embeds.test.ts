import { beforeAll, expect, test } from "vitest";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
});
const setOrigins = (origins: unknown) => ada.send("PUT", "/account/embed-origins", { origins });
const origins = async () => (await ada.get("/account/embed-origins")).json().origins;

test("each site that may show players is stored once, as an origin", async () => {
  expect(await origins()).toEqual([]);
  const input = [
    "https://WWW.example.com/",
    " https://b.example:8443",
    "https://www.example.com:443",
    "https://bücher.example",
  ];
  expect((await setOrigins(input)).json().origins).toEqual([
    "https://www.example.com",
    "https://b.example:8443",
    "https://xn--bcher-kva.example",
  ]);
  expect(await origins()).toHaveLength(3);
  expect((await setOrigins([])).statusCode).toBe(200);
  expect(await origins()).toEqual([]);
});

test.each([
  "http://a.example",
  "https://a.example/path",
  "https://a.example?x",
  "https://user@a.example",
  "https://*.a.example",
  "https://a.example; script-src *",
  "a.example",
  "'self'",
  "*",
])("the origin %s is refused, and nothing is stored", async (text) => {
  const refusal = await setOrigins(["https://kept.example", text]);
  expect([refusal.statusCode, refusal.json().error.details]).toEqual([
    400,
    expect.stringContaining("The origins field"),
  ]);
  expect(await origins()).toEqual([]);
});

test("the sites are 401 without a session, and more than 20 sites are refused", async () => {
  expect((await portal.visitor().get("/account/embed-origins")).statusCode).toBe(401);
  expect((await portal.visitor().send("PUT", "/account/embed-origins", { origins: [] })).statusCode).toBe(401);
  expect((await setOrigins(Array.from({ length: 21 }, (_, index) => `https://s${index}.example`))).statusCode).toBe(
    400,
  );
});
