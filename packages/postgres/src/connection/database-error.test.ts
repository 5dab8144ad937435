import { expect, test } from "vitest";
import { connectionLost } from "./connection.ts";
import { isDatabaseError } from "./database-error.ts";

const errorWith = (fields: object): Error => Object.assign(new Error("failed"), fields);
const shutdown = { code: "57P01", severity: "FATAL" };

test.each([
  ["PostgreSQL", errorWith({ code: "53100", severity: "ERROR" })],
  ["a connection that PostgreSQL ended", connectionLost(errorWith(shutdown))],
  ["a closed connection", connectionLost(new Error("closed"))],
  ["a connection that was reset", errorWith({ code: "ECONNRESET", syscall: "read" })],
  ["a missing socket", errorWith({ code: "ENOENT", syscall: "connect" })],
])("an error of %s is one of the database", (_, error) => {
  expect(isDatabaseError(error)).toBe(true);
});

test.each([
  ["a full disk", errorWith({ code: "ENOSPC", syscall: "write" })],
  ["a missing file", errorWith({ code: "ENOENT", syscall: "open" })],
  ["a file that may not be opened", errorWith({ code: "EPERM", syscall: "open" })],
  ["the program", new TypeError("undefined is not a function")],
])("an error of %s is none of the database", (_, error) => {
  expect(isDatabaseError(error)).toBe(false);
});
