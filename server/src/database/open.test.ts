import { createServer } from "node:net";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { sessionName } from "@beatmarket/postgres/session-names.ts";
import { driverOn } from "@beatmarket/postgres/testing/driver.ts";
import { emptyDatabaseUrl, testServerUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { expect, onTestFinished, test } from "vitest";
import { lastMigration } from "./connect.ts";
import { openDatabase } from "./open.ts";

const open = (databaseUrl: string, responseTimeoutMs = 15_000) =>
  openDatabase(
    { databaseUrl, dataDir: "/nonexistent" },
    { log: () => {}, applicationName: "open test", responseTimeoutMs },
  );

async function refusal(databaseUrl: string, responseTimeoutMs?: number): Promise<string> {
  const error = await open(databaseUrl, responseTimeoutMs).then(
    () => undefined,
    (error) => error,
  );
  expect(error).toBeInstanceOf(OperatorError);
  expect(`${error} ${error.stack}`).not.toContain("hunter2");
  return error.message;
}

test("the database of DATABASE_URL is opened without creating tables", async () => {
  const database = await open(await emptyDatabaseUrl());
  const [row] = await driverOn(database.query)`
    select current_setting('application_name') as name, (select count(*) from pg_tables where schemaname = 'public') as tables`;
  expect(row).toEqual({ name: sessionName("open test", lastMigration), tables: 0 });
  await database.close();
});

test("the error names host and port if nothing listens there", async () => {
  const port = await listen();
  expect(await refusal(`postgres://someone:hunter2@127.0.0.1:${port.closed}/market`)).toBe(
    `The database of DATABASE_URL at 127.0.0.1:${port.closed} cannot be used: nothing listens there; check that it is running, and the port.`,
  );
});

test("the error says that another program than PostgreSQL listens on the port", async () => {
  const port = await listen();
  expect(await refusal(`postgres://someone:hunter2@127.0.0.1:${port.open}/market`)).toContain(
    `at 127.0.0.1:${port.open} cannot be used: it closed the connection; check that PostgreSQL, not something else,`,
  );
});

test("the error names an unknown host", async () => {
  expect(await refusal("postgres://someone:hunter2@nowhere.invalid/market")).toMatch(
    /^The database of DATABASE_URL at nowhere\.invalid:5432 cannot be used: (this|its) host name/,
  );
});

test("the error says that the database does not exist", async () => {
  const url = new URL(await testServerUrl());
  url.pathname = "/no_such_market";
  expect(await refusal(url.href)).toContain("it has no database of that name; create it first.");
});

test("a URL that cannot be read is refused without repeating its password", async () => {
  expect(await refusal("postgres://someone:hunter2@host:notaport/market")).toContain("DATABASE_URL");
});

test("the error of an unsuitable database names the requirement", async () => {
  expect(await refusal(await emptyDatabaseUrl("encoding 'LATIN1' locale_provider libc locale 'C'"))).toContain(
    "UTF8 is needed",
  );
});

/** Two ports: one that closes every connection at once, and one on which nothing listens. */
async function listen(): Promise<{ open: number; closed: number }> {
  const server = createServer((socket) => socket.destroy());
  const other = createServer();
  const ports = await Promise.all(
    [server, other].map(
      (one) =>
        new Promise<number>((resolve) =>
          one.listen(0, "127.0.0.1", () => {
            const address = one.address();
            resolve(typeof address === "object" && address !== null ? address.port : 0);
          }),
        ),
    ),
  );
  await new Promise((resolve) => other.close(resolve));
  onTestFinished(() => void server.close());
  return { open: ports[0] ?? 0, closed: ports[1] ?? 0 };
}
