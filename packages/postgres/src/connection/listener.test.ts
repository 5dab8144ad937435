import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { afterAll, expect, test } from "vitest";
import { connectForTest, type TestDatabase } from "../../testing/driver.ts";
import { emptyDatabaseUrl } from "../../testing/test-database.ts";

const url = await emptyDatabaseUrl();
const proxy = await tcpProxy(url);
const databases: TestDatabase[] = [];
const open = (at: string): TestDatabase => {
  const database = connectForTest({ url: at }, { max: 2, applicationName: "listener test" });
  databases.push(database);
  return database;
};
afterAll(() => Promise.all(databases.map((database) => database.close())));
const writer = open(url);

function recorder() {
  const events: string[] = [];
  return {
    events,
    onNotification: (payload: string) => events.push(payload),
    onListening: () => events.push("(listening)"),
    onLost: () => events.push("(lost)"),
  };
}

test("the subscribers of a channel get its notifications until they unsubscribe", async () => {
  const { listener, driver } = open(url);
  const [first, second, ofOtherChannel] = [recorder(), recorder(), recorder()];
  const unsubscribe = await listener.subscribe("first", first);
  await listener.subscribe("first", second);
  await listener.subscribe("second", ofOtherChannel);
  await driver`select pg_notify('first', 'a')`;
  await driver`select pg_notify('second', 'b')`;
  await expect.poll(() => ofOtherChannel.events).toEqual(["(listening)", "b"]);
  unsubscribe();
  await driver`select pg_notify('first', 'c')`;
  await expect.poll(() => second.events).toEqual(["(listening)", "a", "c"]);
  expect(first.events).toEqual(["(listening)", "a"]);
});

test("a terminated connection is reported as lost, and replaced", async () => {
  const { listener } = open(url);
  const subscriber = recorder();
  await listener.subscribe("ended", subscriber);
  await writer.driver`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query = 'select 1' and datname = current_database() and pid <> pg_backend_pid()`;
  await expect.poll(() => subscriber.events).toEqual(["(listening)", "(lost)", "(listening)"]);
  await writer.driver`select pg_notify('ended', 'again')`;
  await expect.poll(() => subscriber.events.at(-1)).toBe("again");
});

test("a server that stops responding is reported as lost, and as listening when it responds again", async () => {
  const { listener } = open(proxy.url);
  const subscriber = recorder();
  await listener.subscribe("silent", subscriber);
  proxy.freeze();
  await expect.poll(() => subscriber.events).toEqual(["(listening)", "(lost)"]);
  proxy.resume();
  await expect.poll(() => subscriber.events.length).toBe(3);
  await writer.driver`select pg_notify('silent', 'again')`;
  await expect.poll(() => subscriber.events.at(-1)).toBe("again");
});

test("closing does not report a loss, and does not wait for an unreachable server", async () => {
  const database = open(proxy.url);
  const subscriber = recorder();
  await database.listener.subscribe("closing", subscriber);
  proxy.freeze();
  await database.listener.close();
  expect(subscriber.events).toEqual(["(listening)"]);
  proxy.resume();
});
