import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, connect as open } from "node:net";
import { expect, test } from "vitest";
import { withTimeout } from "./with-timeout.ts";

const late = () => new Error("late");

test("withTimeout settles like the promise within the limit", async () => {
  expect(await withTimeout(Promise.resolve(1), 10, late)).toBe(1);
  await expect(withTimeout(Promise.reject(new Error("refused")), 10, late)).rejects.toThrow("refused");
});

test("withTimeout rejects after the limit, and ignores a later rejection of the promise", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  await expect(withTimeout(promise, 10, late)).rejects.toThrow("late");
  reject(new Error("refused"));
});

test("a result that arrived within the limit is returned, even if the process was too busy to read it", async () => {
  const server = createServer((socket) => socket.end("here"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = open((server.address() as AddressInfo).port, "127.0.0.1");
  const data = withTimeout(once(socket, "data"), 20, late);
  await once(socket, "connect");
  const busyUntilMs = performance.now() + 60;
  setImmediate(() => {
    while (performance.now() < busyUntilMs);
  });
  expect(String((await data)[0])).toBe("here");
  socket.destroy();
  server.close();
});
