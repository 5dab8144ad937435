import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { afterAll, expect, test } from "vitest";
import { connectForTest, type TestDatabase } from "../../testing/driver.ts";
import { emptyDatabaseUrl } from "../../testing/test-database.ts";

const url = await emptyDatabaseUrl();
const proxy = await tcpProxy(url);
const opened: TestDatabase[] = [];
const open = (at: string): TestDatabase => {
  const database = connectForTest({ url: at }, { max: 2, applicationName: "listener test" });
  opened.push(database);
  return database;
};
afterAll(() => Promise.all(opened.map((database) => database.close())));
const writer = open(url);

function recorder() {
  const heard: string[] = [];
  return {
    heard,
    onNotice: (payload: string) => heard.push(payload),
    onListening: () => heard.push("(listening)"),
    onLost: () => heard.push("(lost)"),
  };
}

test("each channel's followers hear what is told on it, until they leave", async () => {
  const { listener, driver } = open(url);
  const [one, same, other] = [recorder(), recorder(), recorder()];
  const leave = await listener.subscribe("first", one);
  await listener.subscribe("first", same);
  await listener.subscribe("second", other);
  await driver`select pg_notify('first', 'a')`;
  await driver`select pg_notify('second', 'b')`;
  await expect.poll(() => other.heard).toEqual(["(listening)", "b"]);
  leave();
  await driver`select pg_notify('first', 'c')`;
  await expect.poll(() => same.heard).toEqual(["(listening)", "a", "c"]);
  expect(one.heard).toEqual(["(listening)", "a"]);
});

test("a connection that is ended is reported and replaced", async () => {
  const { listener } = open(url);
  const follower = recorder();
  await listener.subscribe("ended", follower);
  await writer.driver`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query = 'select 1' and datname = current_database() and pid <> pg_backend_pid()`;
  await expect.poll(() => follower.heard).toEqual(["(listening)", "(lost)", "(listening)"]);
  await writer.driver`select pg_notify('ended', 'again')`;
  await expect.poll(() => follower.heard.at(-1)).toBe("again");
});

test("a server that has vanished silently is reported, and found again when it is back", async () => {
  const { listener } = open(proxy.url);
  const follower = recorder();
  await listener.subscribe("silent", follower);
  proxy.freeze();
  await expect.poll(() => follower.heard).toEqual(["(listening)", "(lost)"]);
  proxy.resume();
  await expect.poll(() => follower.heard.length).toBe(3);
  await writer.driver`select pg_notify('silent', 'again')`;
  await expect.poll(() => follower.heard.at(-1)).toBe("again");
});

test("closing is no loss, and waits for no server that is gone", async () => {
  const database = open(proxy.url);
  const follower = recorder();
  await database.listener.subscribe("closing", follower);
  proxy.freeze();
  await database.listener.close();
  expect(follower.heard).toEqual(["(listening)"]);
  proxy.resume();
});
