import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { connectForTest, type TestDatabase } from "../../testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "../../testing/test-database.ts";

const url = await emptyDatabaseUrl();
const operator = openTestDatabase(url);

/** A pool of one connection, so that what comes after its loss comes to the same place. */
async function withOneConnection(work: (database: TestDatabase, lose: () => Promise<void>) => Promise<void>) {
  const applicationName = `lost ${Math.random()}`;
  const database = connectForTest({ url }, { max: 1, applicationName });
  const lose = async () => {
    await operator.driver`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name ^@ ${applicationName}`;
    // Until the news is here, too.
    await sleep(50);
  };
  await work(database, lose).finally(() => database.close());
}

const closed = { code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/) };
const answers = async ({ query, driver }: TestDatabase) => {
  expect((await sql`select 1 as one`.execute(query)).rows).toEqual([{ one: 1 }]);
  expect(await driver`select 2 as two`).toEqual([{ two: 2 }]);
};

test("a statement whose connection is lost is rejected, and the next ones are answered", () =>
  withOneConnection(async (database, lose) => {
    const statement = sql`select pg_sleep(30)`.execute(database.query);
    statement.catch(() => {});
    await expect
      .poll(
        async () => (await operator.driver`select from pg_stat_activity where query = 'select pg_sleep(30)'`).length,
      )
      .toBeGreaterThan(0);
    await lose();
    await expect(statement).rejects.toMatchObject(closed);
    await answers(database);
  }));

test.each(["query", "driver"] as const)(
  "a transaction of the %s whose connection is lost between two statements is rejected as lost, and the next ones are answered",
  (which) =>
    withOneConnection(async (database, lose) => {
      const transaction =
        which === "query"
          ? database.query.transaction().execute(async (db) => {
              await sql`select 1`.execute(db);
              await lose();
              await sql`select 2`.execute(db);
            })
          : database.driver.begin(async (db) => {
              await db`select 1`;
              await lose();
              await db`select 2`;
            });
      await expect(transaction).rejects.toMatchObject(closed);
      await answers(database);
    }),
);

test("no statement of a lost transaction takes effect outside of it, on the connection that came next", async () => {
  await operator.driver`create table kept (text text)`;
  await withOneConnection(async (database, lose) => {
    const transaction = database.query.transaction().execute(async (db) => {
      await sql`insert into kept values ('before')`.execute(db);
      await lose();
      await sql`insert into kept values ('after')`.execute(db);
    });
    const waiting = sql`insert into kept values ('another')`.execute(database.query);
    await expect(transaction).rejects.toMatchObject(closed);
    await waiting;
    expect(await operator.driver`select text from kept`).toEqual([{ text: "another" }]);
  });
});

test("what was to be sent when the connection was lost is not sent ahead of the next connection's first message", () =>
  withOneConnection(async (database, lose) => {
    const { driver } = database;
    const terminated = lose();
    // Statement after statement, so that one is always about to be sent.
    const outcomes: string[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver)
        outcomes.push(
          await driver`select 1`.then(
            () => "answered",
            () => "rejected",
          ),
        );
    })();
    await terminated;
    isOver = true;
    await asking;
    expect(outcomes.at(-1)).toBe("answered");
    await answers(database);
  }));

test("statements refused while the database was away leave no connection unusable", async () => {
  const proxy = await tcpProxy(url);
  const max = 2;
  const database = connectForTest({ url: proxy.url }, { max });
  const ask = () => sql`select 1 as one`.execute(database.query);
  const askMany = () => Promise.allSettled(Array.from({ length: 10 * max }, ask));
  const statuses = (results: PromiseSettledResult<unknown>[]) => new Set(results.map(({ status }) => status));
  expect(statuses(await askMany())).toEqual(new Set(["fulfilled"]));
  const asked = askMany();
  proxy.cut();
  // Those that were waiting are told so, or answered after all.
  const cutOff = await asked.then(() => askMany());
  expect(statuses(cutOff).has("rejected")).toBe(true);
  proxy.resume();
  await expect
    .poll(() =>
      ask().then(
        () => "answered",
        () => "rejected",
      ),
    )
    .toBe("answered");
  for (let again = 0; again < 3; again++) expect(statuses(await askMany())).toEqual(new Set(["fulfilled"]));
  await database.close();
});

test("a server that closes connections at the first question behind its greeting ends no process", async () => {
  // AuthenticationOk, and ReadyForQuery.
  const greeting = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(greeting);
      socket.once("data", () => socket.destroy());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const database = connectForTest(
    { url: `postgres://a@127.0.0.1:${(server.address() as AddressInfo).port}/b` },
    { max: 1 },
  );
  await expect(database.driver`select 1`).rejects.toMatchObject(closed);
  await database.close();
  server.close();
});

test("closing answers every statement: those under way within the time limit, those that wait at once", async () => {
  const untilActive = (text: string) =>
    expect
      .poll(() => operator.driver`select from pg_stat_activity where query = ${text} and state = 'active'`)
      .not.toHaveLength(0);
  const database = connectForTest({ url }, { max: 1 });
  const finishes = sql`select pg_sleep(2)`.execute(database.query);
  await untilActive("select pg_sleep(2)");
  const waits = sql`select 1`.execute(database.query);
  await Promise.all([database.close(), expect(waits).rejects.toMatchObject(closed), finishes]);
  await expect(sql`select 1`.execute(database.query)).rejects.toMatchObject(closed);

  const other = connectForTest({ url }, { max: 1 });
  const outcomes = Promise.allSettled([
    sql`select pg_sleep(40)`.execute(other.query),
    other.reader.query("select pg_sleep(50)", []),
  ]);
  await untilActive("select pg_sleep(40)");
  await untilActive("select pg_sleep(50)");
  await other.close(50);
  expect(await outcomes).toMatchObject([{ reason: closed }, { reason: closed }]);
});
