import { findSession } from "@beatmarket/authentication/sessions.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { asApiError } from "@beatmarket/http/error-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { connect, type Queryable } from "../../src/database/connect.ts";
import { findPasswordHash } from "../../src/portal/auth/account-rows.ts";
import { testDatabaseUrl } from "../harness/database/database.ts";

const thrownBy = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
};

describe("the response to a thrown error is", () => {
  it("503 with Retry-After if a statement takes too long", async () => {
    const database = connect({ url: await testDatabaseUrl() }, { statementTimeoutMs: 20 });
    const error = asApiError(await thrownBy(() => sql`select pg_sleep(30)`.execute(database.query)), "id");
    await database.close();
    expect(error).toMatchObject({ status: 503, code: "server_error", headers: { "retry-after": "5" } });
  });

  it("503 if the database is unreachable", async () => {
    const database = connect({ url: "postgres://nobody@127.0.0.1:1/nothing" });
    const error = asApiError(await thrownBy(() => sql`select 1`.execute(database.query)), "id");
    await database.close();
    expect(error).toMatchObject({ status: 503, code: "server_error" });
  });

  it.each([
    ["the connection is lost", "CONNECTION_CLOSED"],
    ["the connection is reset", "ECONNRESET"],
    ["the host is unreachable", "EHOSTUNREACH"],
    ["PostgreSQL's disk is full", "53100"],
    ["PostgreSQL has no free connection", "53300"],
    ["PostgreSQL is starting", "57P03"],
    ["a lock was not acquired in time", "55P03"],
    ["PostgreSQL's disk fails", "58030"],
    ["PostgreSQL is read-only", "25006"],
  ])("503 with Retry-After if the driver reports that %s", (_, code) => {
    const error = asApiError(Object.assign(new Error("as the driver has it"), { code }), "id");
    expect(error).toMatchObject({ status: 503, code: "server_error", headers: { "retry-after": "5" } });
  });

  it.each<[string, (db: Queryable) => Promise<unknown>]>([
    ["a session", (db) => findSession(db, "token", new Date())],
    ["the password of a sign-in", (db) => findPasswordHash(db, "ada@example.com")],
  ])("503 if the database is unreachable when %s is looked up", async (_, lookUp) => {
    const database = connect({ url: "postgres://nobody@127.0.0.1:1/nothing" });
    const error = asApiError(await thrownBy(() => lookUp(database.query)), "id");
    await database.close();
    expect(error).toMatchObject({ status: 503, code: "server_error" });
  });

  it("500 for an unexpected error, with the request id but without the cause", () => {
    const error = asApiError(new TypeError("x is undefined at secret.ts"), "req-7");
    expect(error).toMatchObject({ status: 500, code: "server_error", details: expect.stringContaining("req-7") });
    expect(error.message + error.details).not.toContain("secret.ts");
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it("the thrown error itself if it is an ApiError", () => {
    const error = new ApiError(418, "invalid_request", "Teapot", "Short and stout.");
    expect(asApiError(error, "id")).toBe(error);
  });
});

describe("an error at a public address", () => {
  const { inject } = openRoutes([
    openRoute("/there", () => ({ status: 200 })),
    openRoute("/broken", () => {
      throw new Error("of the database");
    }),
    openRoute("/away", () => {
      throw new ApiError(503, "server_error", "Service unavailable", "", { headers: { "retry-after": "7" } });
    }),
  ]);
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

  it.each([
    ["/nowhere", 404],
    ["/broken", 500],
  ])("is a page to a browser that opens %s", async (url, status) => {
    const { statusCode, headers } = await inject({ url, headers: { accept: browser } });
    expect(statusCode).toBe(status);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers.vary).toBe("Accept");
    expect(headers).not.toHaveProperty("refresh");
  });

  it("is a page that reloads itself while the service is unavailable", async () => {
    const { headers } = await inject({ url: "/away", headers: { accept: browser } });
    expect(headers.refresh).toBe("5");
    expect(headers["retry-after"]).toBe("7");
  });

  it.each([undefined, "*/*", "application/json", "application/json, text/html", "text/html;q=0"])(
    "is JSON to a program that accepts %s",
    async (accept) => {
      const { statusCode, headers, json } = await inject({ url: "/nowhere", headers: accept ? { accept } : {} });
      expect(statusCode).toBe(404);
      expect(headers["content-type"]).toBe("application/json");
      expect(json()).toMatchObject({ status: "error", error: { code: "not_found" } });
    },
  );
});
