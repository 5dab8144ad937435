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

/** A pool of one connection, so that the statements after a loss use the place of the lost connection. */
async function withOneConnection(work: (database: TestDatabase, lose: () => Promise<void>) => Promise<void>) {
  const applicationName = `lost ${Math.random()}`;
  const database = connectForTest({ url }, { max: 1, applicationName });
  const lose = async () => {
    await operator.driver`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name ^@ ${applicationName}`;
    // Time for this process to receive the end of the connection.
    await sleep(50);
  };
  await work(database, lose).finally(() => database.close());
}

const connectionLoss = { code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/) };
const expectToWork = async ({ query, driver }: TestDatabase) => {
  expect((await sql`select 1 as one`.execute(query)).rows).toEqual([{ one: 1 }]);
  expect(await driver`select 2 as two`).toEqual([{ two: 2 }]);
};

test("a statement whose connection is lost rejects, and the next statements succeed", () =>
  withOneConnection(async (database, lose) => {
    const statement = sql`select pg_sleep(30)`.execute(database.query);
    statement.catch(() => {});
    await expect
      .poll(
        async () => (await operator.driver`select from pg_stat_activity where query = 'select pg_sleep(30)'`).length,
      )
      .toBeGreaterThan(0);
    await lose();
    await expect(statement).rejects.toMatchObject(connectionLoss);
    await expectToWork(database);
  }));

test.each(["query", "driver"] as const)(
  "a transaction of the %s whose connection is lost between two statements rejects, and the next statements succeed",
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
      await expect(transaction).rejects.toMatchObject(connectionLoss);
      await expectToWork(database);
    }),
);

test("no statement of a lost transaction takes effect on the next connection", async () => {
  await operator.driver`create table notes (text text)`;
  await withOneConnection(async (database, lose) => {
    const transaction = database.query.transaction().execute(async (db) => {
      await sql`insert into notes values ('before')`.execute(db);
      await lose();
      await sql`insert into notes values ('after')`.execute(db);
    });
    const waitingStatement = sql`insert into notes values ('another')`.execute(database.query);
    await expect(transaction).rejects.toMatchObject(connectionLoss);
    await waitingStatement;
    expect(await operator.driver`select text from notes`).toEqual([{ text: "another" }]);
  });
});

test("a connection that is lost while statements are being sent does not break the statements on the next connection", () =>
  withOneConnection(async (database, lose) => {
    const { driver } = database;
    const loss = lose();
    // A continuous sequence of statements, so that the loss occurs while a statement is being sent.
    const outcomes: string[] = [];
    let isOver = false;
    const statements = (async () => {
      while (!isOver)
        outcomes.push(
          await driver`select 1`.then(
            () => "fulfilled",
            () => "rejected",
          ),
        );
    })();
    await loss;
    isOver = true;
    await statements;
    expect(outcomes.at(-1)).toBe("fulfilled");
    await expectToWork(database);
  }));

test("after the database was unreachable, every connection of the pool works again", async () => {
  const proxy = await tcpProxy(url);
  const max = 2;
  const database = connectForTest({ url: proxy.url }, { max });
  const selectOne = () => sql`select 1 as one`.execute(database.query);
  const readMany = () => Promise.allSettled(Array.from({ length: 10 * max }, selectOne));
  const statuses = (results: PromiseSettledResult<unknown>[]) => new Set(results.map(({ status }) => status));
  expect(statuses(await readMany())).toEqual(new Set(["fulfilled"]));
  const runningReads = readMany();
  proxy.cut();
  // The running reads may succeed or fail. Later reads reject.
  const laterReads = await runningReads.then(() => readMany());
  expect(statuses(laterReads).has("rejected")).toBe(true);
  proxy.resume();
  await expect
    .poll(() =>
      selectOne().then(
        () => "fulfilled",
        () => "rejected",
      ),
    )
    .toBe("fulfilled");
  for (let round = 0; round < 3; round++) expect(statuses(await readMany())).toEqual(new Set(["fulfilled"]));
  await database.close();
});

test("a server that closes the connection at the first statement does not crash the process", async () => {
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
  await expect(database.driver`select 1`).rejects.toMatchObject(connectionLoss);
  await database.close();
  server.close();
});

test("closing settles every statement: running ones within the time limit, waiting ones immediately", async () => {
  const untilActive = (text: string) =>
    expect
      .poll(() => operator.driver`select from pg_stat_activity where query = ${text} and state = 'active'`)
      .not.toHaveLength(0);
  const database = connectForTest({ url }, { max: 1 });
  const running = sql`select pg_sleep(2)`.execute(database.query);
  await untilActive("select pg_sleep(2)");
  const waiting = sql`select 1`.execute(database.query);
  await Promise.all([database.close(), expect(waiting).rejects.toMatchObject(connectionLoss), running]);
  await expect(sql`select 1`.execute(database.query)).rejects.toMatchObject(connectionLoss);

  const other = connectForTest({ url }, { max: 1 });
  const outcomes = Promise.allSettled([
    sql`select pg_sleep(40)`.execute(other.query),
    other.reader.query("select pg_sleep(50)", []),
  ]);
  await untilActive("select pg_sleep(40)");
  await untilActive("select pg_sleep(50)");
  await other.close(50);
  expect(await outcomes).toMatchObject([{ reason: connectionLoss }, { reason: connectionLoss }]);
});
