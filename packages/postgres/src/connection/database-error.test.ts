import { expect, test } from "vitest";
import { connectionLost } from "./connection.ts";
import { isDatabaseError, refusesValues } from "./database-error.ts";

const errorWith = (fields: object): Error => Object.assign(new Error("failed"), fields);
const shutdown = { code: "57P01", severity: "FATAL" };

test.each([
  ["PostgreSQL", errorWith({ code: "53100", severity: "ERROR" })],
  ["a connection that PostgreSQL ended", connectionLost(errorWith(shutdown))],
  ["a closed connection", connectionLost(new Error("closed"))],
  ["a connection that was reset", errorWith({ code: "ECONNRESET", syscall: "read" })],
  ["a missing socket", errorWith({ code: "ENOENT", syscall: "connect" })],
])("an error of %s counts as an error of the database", (_, error) => {
  expect(isDatabaseError(error)).toBe(true);
});

test.each([
  ["a full disk", errorWith({ code: "ENOSPC", syscall: "write" })],
  ["a missing file", errorWith({ code: "ENOENT", syscall: "open" })],
  ["a file that may not be opened", errorWith({ code: "EPERM", syscall: "open" })],
  ["the program", new TypeError("undefined is not a function")],
])("an error of %s does not count as an error of the database", (_, error) => {
  expect(isDatabaseError(error)).toBe(false);
});

test.each([
  ["a value that does not fit", { code: "22021", severity: "ERROR" }, true],
  ["a violated constraint", { code: "23514", severity: "ERROR" }, true],
  ["an exception of a function", { code: "P0001", severity: "ERROR" }, true],
  ["a full disk", { code: "53100", severity: "ERROR" }, false],
  ["a server that shuts down", shutdown, false],
  ["a lost connection", { code: "ECONNRESET", syscall: "read" }, false],
  ["another system's code", { code: "23514" }, false],
])("%s is recognized as a refusal of the statement's values, or as another failure", (_, fields, refuses) => {
  expect(refusesValues(errorWith(fields))).toBe(refuses);
});
