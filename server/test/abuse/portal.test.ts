import { readFileSync } from "node:fs";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { publicUrl } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { mailedToken, type SignedInVisitor, testPassword, testPortal } from "../harness/portal.ts";
import { script } from "./contract-fuzz/hostile-texts.ts";

// The portal against requests of other sites, and against hostile names. portal/test tests the pages in a real browser.

const document = JSON.parse(
  readFileSync(new URL("../../../contract/portal-openapi.json", import.meta.url), "utf8"),
) as {
  paths: Record<string, Record<string, object>>;
};
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);
const clock = new FakeClock();
const portal = await testPortal({ clock, demoEmail: "demo@beatmarket.example" });
const { api } = portal;
let ada: SignedInVisitor;
let endpoint = 0;
beforeAll(async () => {
  ada = await portal.signUp("ada@example.com", script.slice(0, 100));
  endpoint = (await ada.send("POST", "/webhooks/inbox")).json().id;
});
beforeEach(() => clock.advance(60_000));

const url = (path: string): string =>
  `/portal/api${path.replace("{endpoint_id}", String(endpoint)).replaceAll(/\{\w+\}/g, "1")}`;

describe("a request of another site", () => {
  const origins = [
    undefined,
    "null",
    "",
    "https://evil.example",
    publicUrl.replace("https", "http"),
    `${publicUrl}.evil.example`,
    `${publicUrl}@evil.example`,
    publicUrl.replace("localhost", "api.localhost"),
    publicUrl.replace(/:\d+$/, ":8444"),
    publicUrl.toUpperCase(),
    `${publicUrl}/`,
    `${publicUrl} https://evil.example`,
  ];
  test.each(routes.filter(({ method }) => method !== "GET"))(
    "never reaches $method $path with the user's cookie",
    async ({ method, path }) => {
      const before = await hashTables();
      for (const origin of origins)
        for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
          const response = await api.request({
            method: method as "POST",
            url: url(path),
            headers: {
              host: "localhost:8443",
              cookie: ada.cookie(),
              "content-type": type,
              ...(origin !== undefined && { origin }),
            },
            payload: "{}",
          });
          expect(response.statusCode, `${origin} ${type}`).toBe(403);
          expect(response.headers["set-cookie"]).toBeUndefined();
        }
      expect(await hashTables()).toBe(before);
    },
  );

  test("is refused with our origin, too, unless its body is declared as JSON", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      expect(
        (await ada.send("POST", "/webhooks/doctor", { endpoint_id: endpoint }, { "content-type": type })).statusCode,
      ).toBe(415);
  });

  test.each(routes.filter(({ method }) => method === "GET"))(
    "changes nothing by GET $path, which a link or an image can send",
    async ({ path }) => {
      // The first request extends the session if ten minutes have passed, so that the GET below changes nothing.
      await ada.get("/session");
      const before = await hashTables();
      const headers = { cookie: ada.cookie(), "x-http-method-override": "DELETE" };
      expect((await api.request({ method: "GET", url: url(path), headers })).statusCode).toBeLessThan(500);
      expect(await hashTables()).toBe(before);
    },
  );
});

describe("a session", () => {
  const setCookies = (response: { headers: object }): string[] =>
    [(response.headers as Record<string, string | string[]>)["set-cookie"] ?? []].flat();
  const signIn = (cookie: string) =>
    api.request({
      method: "POST",
      url: "/portal/api/auth/sign-in",
      headers: { origin: publicUrl, ...(cookie !== "" && { cookie }) },
      payload: { email: "ada@example.com", password: testPassword },
    });
  const accountOfSession = async (cookie: string) =>
    (await api.request({ method: "GET", url: "/portal/api/session", headers: { cookie } })).json().account;

  test("does not exist before the sign-in, so that an attacker cannot plant a session", async () => {
    for (const path of ["/portal", "/portal/api/session", "/portal/sign-in", "/explorer"])
      expect(setCookies(await api.request({ method: "GET", url: path }))).toEqual([]);
  });

  test("is replaced at the sign-in, so that a planted session gives no access", async () => {
    const attackers = ada.cookie();
    for (const plantedCookie of ["__Host-beatmarket.session_token=chosen.by-me", attackers]) {
      const signInCookies = setCookies(await signIn(plantedCookie));
      // The response may extend the planted session before it ends the session.
      const cookie = signInCookies.findLast((text) => text.includes("session_token="))?.split(";")[0] ?? "";
      expect(cookie).not.toBe(plantedCookie);
      expect(await accountOfSession(cookie)).toMatchObject({ email: "ada@example.com" });
      expect(await accountOfSession(plantedCookie)).toBeNull();
    }
    ada = { ...ada, ...(await signedInAgain()) };
  });

  test.each([
    ["another signature", (cookie: string) => `${cookie.split(".").slice(0, -1).join(".")}.${"A".repeat(44)}`],
    ["no signature", (cookie: string) => cookie.split(".").slice(0, -1).join(".")],
    [
      "one letter changed",
      (cookie: string) =>
        cookie.replace(/session_token=./, (text) => `${text.slice(0, -1)}${text.endsWith("a") ? "b" : "a"}`),
    ],
    ["a name without its prefix", (cookie: string) => cookie.replace("__Host-", "")],
  ])("is not accepted with %s", async (_what, change) => {
    const session = ada.cookie().split("; ")[0] ?? "";
    expect(await accountOfSession(session)).not.toBeNull();
    expect(await accountOfSession(change(session))).toBeNull();
  });

  test("is in a cookie that scripts cannot read, other sites cannot send, and plain HTTP does not transmit", async () => {
    const bob = await portal.signUp();
    const reset = async () => {
      await bob.send("POST", "/auth/request-reset", { email: bob.email });
      return bob.send("POST", "/auth/reset", {
        token: await mailedToken(portal.mails, bob.email),
        password: testPassword,
      });
    };
    const responses = [await signIn(""), await bob.send("POST", "/auth/sign-out"), await reset()];
    const cookies = responses.flatMap(setCookies);
    expect(cookies.length).toBeGreaterThan(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-beatmarket\./);
      for (const flag of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"])
        expect(cookie.toLowerCase(), cookie).toContain(flag.toLowerCase());
      expect(cookie).not.toMatch(/domain=/i);
    }
  });

  async function signedInAgain(): Promise<Pick<SignedInVisitor, "cookie" | "get" | "send">> {
    const visitor = portal.visitor();
    await visitor.send("POST", "/auth/sign-in", { email: "ada@example.com", password: testPassword });
    return visitor;
  }
});

describe("a page", () => {
  const policyOf = async (path: string) => {
    const { headers } = await api.request({ method: "GET", url: path, headers: { accept: "text/html" } });
    const policy = String(headers["content-security-policy"] ?? "");
    const directives = new Map(
      policy.split("; ").map((text) => [text.split(" ")[0], text.split(" ").slice(1)] as const),
    );
    return { headers, directives };
  };

  test.each(["/portal", "/portal/keys", "/portal/%3Cscript%3E", "/explorer"])(
    "%s runs no inline script and none of another origin, and no page can frame it",
    async (path) => {
      const { headers, directives } = await policyOf(path);
      expect(headers["content-type"]).toMatch(/^text\/html/);
      const scripts = directives.get("script-src") ?? directives.get("default-src");
      for (const source of scripts ?? ["missing"]) expect(source).toMatch(/^'(self|none|sha(256|384|512)-[\w+/=]+)'$/);
      expect(directives.get("default-src")).toEqual(["'none'"]);
      expect(directives.get("base-uri")).toEqual(["'none'"]);
      expect(directives.get("object-src") ?? ["'none'"]).toEqual(["'none'"]);
      expect(["'none'", "'self'"]).toContain(directives.get("frame-ancestors")?.join(" "));
      for (const source of directives.get("connect-src") ?? []) expect(source).toBe("'self'");
      for (const source of directives.get("form-action") ?? ["missing"]) expect(source).toMatch(/^'(self|none)'$/);
      expect(headers["referrer-policy"]).toBe("no-referrer");
      if (path.startsWith("/portal")) expect(headers["x-frame-options"]).toBe("DENY");
    },
  );

  test.each(["/portal", "/explorer", "/v1", "/nowhere", "/media/beats", "/portal/assets", "/portal/api"])(
    "below %s echoes a script in its address only as JSON",
    async (place) => {
      for (const text of [script, `?x=${script}`, `#${script}`]) {
        const response = await api.request({
          method: "GET",
          url: `${place}/${encodeURI(text)}`,
          headers: { accept: "text/html" },
        });
        const isHtml = String(response.headers["content-type"]).startsWith("text/html");
        if (isHtml) expect(response.body).not.toContain("pwned");
        else expect(response.headers["content-type"]).toMatch(/^application\/json/);
        expect(response.headers["x-content-type-options"]).toBe("nosniff");
      }
    },
  );

  test("a script in a name or a title is text in a generated cover, and the cover may run no script", async () => {
    const [beat] = await insertBeats(portal.database, [{ title: script, producer: script, genre: script }]);
    const { body, headers } = await api.request({ method: "GET", url: `/media/beats/${beat}.svg` });
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    expect(body).not.toMatch(/<script|<svg\/|\sonload\s*=\s*["']?window/i);
    expect(body).toMatch(/&(lt|#60);/);
  });

  test("a script in a person's name is text in the mails that are sent to that person", () => {
    const mails = portal.mails.filter(({ to }) => to === "ada@example.com");
    expect(mails.length).toBeGreaterThan(0);
    for (const { html } of mails) expect(html).not.toMatch(/<script|\sonload/i);
  });
});

/** A hash over every table, except the tables that count attempts and calls. */
async function hashTables(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname !~ '^(request_|portal_attempts|search_)'`.execute(portal.database.query);
  const hashes = await Promise.all(
    rows.map(async ({ name }) => {
      const table = sql.table(name);
      const result = await sql<{
        hash: string;
      }>`select md5(string_agg(t::text, '' order by t::text)) as hash from ${table} t`.execute(portal.database.query);
      return `${name} ${result.rows[0]?.hash}`;
    }),
  );
  expect(hashes.length).toBeGreaterThan(10);
  return hashes.sort().join("\n");
}
