import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, expect, it } from "vitest";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "../tls/issue.ts";
import { limitConnections, maxConnectionsOfNetwork, maxHandshakesOfNetwork } from "./connections.ts";

const opened: Socket[] = [];
let server: Server;
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function listen(made: Server, standsForMany = (_address: string) => false): Promise<void> {
  server = made;
  limitConnections(server, standsForMany);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function open(localAddress = "127.0.0.1"): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connectTcp({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  opened.push(socket);
  await once(socket, "connect");
  return socket.resume();
}
const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
const answers = async (socket: Socket) => {
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return String((await once(socket, "data"))[0]);
};

it("a network has 256 connections; further ones are closed as they come, those of others are served", async () => {
  await listen(createHttpServer((_, response) => response.end("served")));
  const [first] = await Promise.all(Array.from({ length: maxConnectionsOfNetwork }, () => open()));
  await expect.poll(count).toBe(maxConnectionsOfNetwork);
  await once(await open(), "close");
  expect(await answers(await open("127.0.0.2"))).toContain("served");
  first?.destroy();
  await expect.poll(count).toBe(maxConnectionsOfNetwork);
  expect(await answers(await open())).toContain("served");
});

it("a proxy may have as many as its clients need", async () => {
  await listen(
    createHttpServer((_, response) => response.end("served")),
    (address) => address === "127.0.0.1",
  );
  const sockets = await Promise.all(Array.from({ length: maxConnectionsOfNetwork + 5 }, () => open()));
  expect(await answers(sockets.at(-1) as Socket)).toContain("served");
});

it("a network has 64 connections in the TLS handshake; one that completes it makes room", async () => {
  const caKey = newPrivateKey();
  const key = newPrivateKey();
  const ca = await issueAuthority(caKey, Date.now());
  const cert = await issueServerCertificate({ key: caKey, cert: ca }, key, ["localhost"], Date.now());
  await listen(createHttpsServer({ key, cert }, (_, response) => response.end("served")));
  const complete = async (socket: Socket) => {
    const secured = connectTls({ socket, servername: "localhost", ca });
    opened.push(secured);
    await once(secured, "secureConnect");
    return secured;
  };
  for (let made = 0; made < 3; made++) await complete((await open()).pause());
  const silent = await Promise.all(Array.from({ length: maxHandshakesOfNetwork }, () => open()));
  await expect.poll(count).toBe(maxHandshakesOfNetwork + 3);
  await once(await open(), "close");
  silent[0]?.destroy();
  await expect.poll(count).toBe(maxHandshakesOfNetwork + 2);
  expect(await answers(await complete((await open()).pause()))).toContain("served");
});
