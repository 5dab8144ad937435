import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type SignedInVisitor,
  type TestPortal,
  testPassword,
  testPortal,
  type Visitor,
} from "../../../test/harness/portal.ts";
import { sweepAuth } from "../auth/context.ts";
import { grantType } from "./routes.ts";

const clock = new FakeClock(Date.now());
let portal: TestPortal;
let ada: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal({ clock });
  ada = await portal.signUp("ada@example.com");
});

interface Codes {
  device_code: string;
  user_code: string;
}

const request = { name: "beatmarket-cli on laptop", permissions: ["beats:read", "orders:read"] };
const program = () => portal.visitor();
const start = async (): Promise<Codes> => {
  const response = await program().send("POST", "/device/codes", request);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
/** Polls for the key after the interval. */
const poll = async (device_code: string) => {
  clock.advance(5_000);
  return program().send("POST", "/device/token", { grant_type: grantType, device_code });
};
const pathOf = ({ user_code }: Codes, verb = "") => `/device/codes/${user_code}${verb}`;
const approve = (codes: Codes, permissions = request.permissions, visitor: Visitor = ada) =>
  visitor.send("POST", pathOf(codes, "/approve"), { permissions });
const keyNames = async () => (await ada.get("/keys")).json().keys.map(({ name }: { name: string }) => name);

describe("the login of a program", () => {
  test("shows the person the requested permissions, and gives the program an ordinary key once", async () => {
    const codes = await start();
    expect(codes).toMatchObject({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri_complete: expect.stringMatching(new RegExp(`/portal/device\\?code=${codes.user_code}$`)),
      expires_in: 600,
      interval: 5,
    });
    const pending = await poll(codes.device_code);
    expect([pending.statusCode, pending.json().error]).toEqual([400, "authorization_pending"]);
    const typed = codes.user_code.toLowerCase().replace("-", " ");
    expect((await ada.get(`/device/codes/${encodeURIComponent(typed)}`)).json()).toMatchObject({
      ...request,
      user_code: codes.user_code,
      client_address: expect.any(String),
    });
    expect((await approve(codes, ["beats:read"])).statusCode).toBe(204);
    const { access_token: key, token_type: type } = (await poll(codes.device_code)).json();
    expect(type).toBe("Bearer");
    expect((await portal.api.get("/v1/beats", { key })).statusCode).toBe(200);
    expect((await portal.api.get("/v1/orders", { key })).statusCode).toBe(403);
    expect(await keyNames()).toContain(request.name);
    const again = await poll(codes.device_code);
    expect([again.statusCode, again.json().error]).toEqual([400, "expired_token"]);
  });

  test("stores neither the device code nor the key", async () => {
    const codes = await start();
    await approve(codes);
    const [row] = await portal.api.database.driver`select to_jsonb(device_logins)::text as row from device_logins`;
    const { access_token: key } = (await poll(codes.device_code)).json();
    expect(key).toMatch(/^bm_/);
    expect(row?.row).toContain(codes.user_code);
    for (const secret of [codes.device_code, key]) expect(row?.row).not.toContain(secret);
  });

  test("ends with access_denied if the person refuses", async () => {
    const codes = await start();
    expect((await ada.send("POST", pathOf(codes, "/deny"), {})).statusCode).toBe(204);
    expect((await approve(codes)).statusCode).toBe(404);
    expect((await poll(codes.device_code)).json().error).toBe("access_denied");
  });

  test("expires after ten minutes for person and program, and is deleted", async () => {
    const codes = await start();
    clock.advance(600_000);
    expect((await ada.get(pathOf(codes))).statusCode).toBe(404);
    expect((await approve(codes)).statusCode).toBe(404);
    expect((await poll(codes.device_code)).json().error).toBe("expired_token");
    await sweepAuth(portal.api.database.query, clock.nowMs());
    expect(await portal.api.database.driver`select from device_logins`).toHaveLength(0);
  });

  test("gives the key even if the person confirms shortly before it expires", async () => {
    const codes = await start();
    clock.advance(599_000);
    expect((await approve(codes)).statusCode).toBe(204);
    expect((await poll(codes.device_code)).json().access_token).toMatch(/^bm_/);
  });

  test("is confirmed once, and with at most the requested permissions", async () => {
    const codes = await start();
    const more = await approve(codes, ["beats:read", "orders:write"]);
    expect([more.statusCode, more.json().error.details]).toEqual([409, "The program does not ask for orders:write."]);
    expect((await approve(codes)).statusCode).toBe(204);
    expect((await approve(codes)).statusCode).toBe(404);
  });

  test("answers slow_down to a program that polls too often", async () => {
    const { device_code } = await start();
    const pollAgain = () => program().send("POST", "/device/token", { grant_type: grantType, device_code });
    expect((await pollAgain()).json().error).toBe("authorization_pending");
    expect((await pollAgain()).json().error).toBe("slow_down");
    clock.advance(5_000);
    expect((await pollAgain()).json().error).toBe("authorization_pending");
  });

  test("requires a session to be shown, and a recent sign-in to be confirmed", async () => {
    const codes = await start();
    expect((await portal.visitor().get(pathOf(codes))).statusCode).toBe(401);
    expect((await portal.visitor().send("POST", pathOf(codes, "/approve"), request)).statusCode).toBe(401);
    const tab = portal.visitor();
    await tab.send("POST", "/auth/sign-in", { email: "ada@example.com", password: testPassword });
    clock.advance(20 * 60_000);
    const late = await start();
    expect((await approve(late, request.permissions, tab)).statusCode).toBe(403);
    expect((await poll(late.device_code)).json().error).toBe("authorization_pending");
  });

  test("limits guesses of codes, and new logins", async () => {
    const guesser = await portal.signUp("guesser@example.com");
    const statuses = new Set<number>();
    for (let guess = 0; guess < 31; guess++) statuses.add((await guesser.get("/device/codes/AAAA-AAAA")).statusCode);
    expect([...statuses]).toEqual([404, 429]);
    const starts = new Set<number>();
    for (let count = 0; count < 21; count++)
      starts.add((await program().send("POST", "/device/codes", request)).statusCode);
    expect([...starts]).toEqual([200, 429]);
  });

  test.each([
    ["/device/codes", { ...request, name: "" }, "name"],
    ["/device/codes", { ...request, permissions: ["beats:delete"] }, "permissions"],
    ["/device/token", { grant_type: "password", device_code: "x" }, "grant_type"],
    ["/device/token", { grant_type: grantType }, "device_code"],
  ])("400 for %s %j, which names %s", async (path, body, field) => {
    const response = await program().send("POST", path, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(field);
  });
});
