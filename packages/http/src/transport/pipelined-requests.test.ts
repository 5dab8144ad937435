import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { maxPipelined, oneAtATime } from "./pipelined-requests.ts";

const requests = (count: number, last = "close") =>
  Array.from(
    { length: count },
    (_, index) =>
      `GET /${index} HTTP/1.1\r\nHost: x\r\nConnection: ${index === count - 1 ? last : "keep-alive"}\r\n\r\n`,
  ).join("");

it("pipelined requests are handled in order, one at a time, with requests of other connections in between", async () => {
  let running = 0;
  let mostRunning = 0;
  const order: (string | undefined)[] = [];
  const port = await listen(async ({ url }, response) => {
    order.push(url);
    mostRunning = Math.max(mostRunning, ++running);
    await new Promise(setImmediate);
    running--;
    response.end(`<${url}>`);
  });
  const impatient = connect(port, "127.0.0.1");
  impatient.write(requests(maxPipelined + 1));
  await until(() => order.length > 0);
  const other = connect(port, "127.0.0.1");
  other.write(requests(1).replace("/0", "/other"));
  const [received] = await Promise.all([text(impatient), text(other)]);
  expect(received.match(/<\/\d+>/g)).toEqual(Array.from({ length: maxPipelined + 1 }, (_, index) => `</${index}>`));
  expect(order.indexOf("/other")).toBeLessThan(order.length - 1);
  expect(mostRunning).toBeLessThanOrEqual(2);
});

it("a client with too many waiting requests is disconnected, and those requests are not handled", async () => {
  const handled: (string | undefined)[] = [];
  const port = await listen(({ url }) => void handled.push(url));
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(requests(maxPipelined + 2, "keep-alive"));
  await once(socket, "close");
  expect(handled).toEqual(["/0"]);
});

it("a waiting request is handled after its client has read enough of the earlier responses", async () => {
  const handled: (string | undefined)[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let roomRequests = 0;
  const port = await listen(
    ({ url }, response) => {
      handled.push(url);
      response.end(`<${url}>`);
    },
    () => (++roomRequests === 1 ? promise : null),
  );
  const socket = connect(port, "127.0.0.1");
  socket.write(requests(3));
  await until(() => roomRequests === 1);
  expect(handled).toEqual(["/0"]);
  resolve();
  await text(socket);
  expect(handled).toEqual(["/0", "/1", "/2"]);
});

it("a connection that is reused many times is never disconnected for pipelining", async () => {
  const port = await listen((_, response) => response.end("<ok>"));
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  for (let turn = 1; turn <= 3 * maxPipelined; turn++) {
    socket.write(requests(1, "keep-alive"));
    await until(() => received.split("<ok>").length > turn);
  }
  socket.destroy();
});

async function listen(handle: RequestListener, room?: Parameters<typeof oneAtATime>[2]): Promise<number> {
  const server = createServer(oneAtATime(handle, undefined, room)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}
