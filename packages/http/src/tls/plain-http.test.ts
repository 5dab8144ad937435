import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { createServer, request, type Server } from "node:https";
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Certificate } from "./certificate.ts";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "./issue.ts";
import { tlsOptions } from "./options.ts";
import { refusePlainHttp } from "./plain-http.ts";

let certificate: Certificate;
let ca = "";
let server: Server;
let port = 0;
let served = 0;

beforeAll(async () => {
  const caKey = newPrivateKey();
  const key = newPrivateKey();
  ca = await issueAuthority(caKey, "Beats", Date.now());
  certificate = { key, cert: await issueServerCertificate({ key: caKey, cert: ca }, key, ["localhost"], Date.now()) };
});

beforeEach(async () => {
  served = 0;
  server = createServer(tlsOptions(certificate), (incoming, outgoing) => {
    served += 1;
    incoming.resume().on("end", () => outgoing.end(`secure ${incoming.method}`));
  });
  refusePlainHttp(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

/** Sends `parts` one by one and returns everything received until the server closed. */
async function plain(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connectTcp(port, "127.0.0.1").setNoDelay();
  await once(socket, "connect");
  const response = collect(socket);
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  return response;
}

async function collect(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  socket.on("error", () => {});
  await once(socket, "close");
  return text;
}

function secureGet(): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ port, host: "localhost", ca, agent: false }, (incoming) => {
      let text = "";
      incoming.on("data", (chunk) => {
        text += chunk;
      });
      incoming.on("end", () => resolve(text));
    })
      .on("error", reject)
      .end();
  });
}

const refusalOf = (response: string) => {
  const [head = "", body = ""] = response.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toContain("Content-Type: application/json");
  expect(head).toContain("Connection: close");
  return JSON.parse(body);
};

test("a plain HTTP request gets the documented error body with the HTTPS URL", async () => {
  const response = await plain("GET /v1/beats?page=2 HTTP/1.1\r\nHost: localhost:8443\r\n\r\n");
  expect(refusalOf(response)).toEqual({
    status: "error",
    error: {
      code: "invalid_request",
      message: "Invalid request",
      details: "HTTPS is required: use https://localhost:8443/v1/beats.",
    },
  });
  expect(served).toBe(0);
});

test("an ordinary HTTP client reads the error, even after a large upload", async () => {
  const status = await new Promise((resolve, reject) => {
    const upload = httpRequest({ port, host: "127.0.0.1", method: "POST" }, (incoming) => {
      incoming.resume().on("end", () => resolve(incoming.statusCode));
    });
    upload.on("error", reject);
    upload.end(Buffer.alloc(500_000, "x"));
  });
  expect(status).toBe(400);
});

test("HEAD gets 400 without a body", async () => {
  expect(await plain("HEAD / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 .*\r\nContent-Length: [1-9].*\r\n\r\n$/s);
});

test("a request that arrives one byte at a time gets 400", async () => {
  expect(refusalOf(await plain(..."GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")).error.details).toBe(
    "HTTPS is required: use https://a.example/.",
  );
});

test("an invalid Host is not echoed", async () => {
  const response = await plain('GET / HTTP/1.1\r\nHost: "><b>\r\n\r\n');
  expect(refusalOf(response).error.details).toBe("HTTPS is required: use https:// in the address.");
});

test("a client that half-closes after its request still reads the response", async () => {
  const socket = connectTcp({ port, host: "127.0.0.1", allowHalfOpen: true });
  const response = collect(socket);
  socket.on("end", () => socket.destroy());
  socket.end("GET / HTTP/1.1\r\n\r\n");
  refusalOf(await response);
});

test.each([
  ["binary garbage", Buffer.from([0, 1, 2, 3, 255])],
  ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["lower-case letters", "get / http/1.1\r\n\r\n"],
  ["a head without end", `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}`],
  ["garbage that begins like a TLS record", Buffer.from([0x16, 1, 2, 3, 4, 5, 6, 7, 8, 9])],
  ["a TLS record of another kind", Buffer.from([0x17, 3, 3, 0, 1, 0])],
])("%s is closed without an HTTP response", async (_, bytes) => {
  expect(await plain(bytes)).not.toContain("HTTP");
  expect(await secureGet()).toBe("secure GET");
});

test("a client that closes or resets the connection at any point does not crash the server", async () => {
  const unhandled = vi.fn();
  process.on("uncaughtException", unhandled);
  for (const sent of ["", "G", "GET / HTTP/1.1\r\n\r\n", "\u0016", "\u0016\u0003\u0001\u0002"]) {
    for (const hangUp of ["end", "resetAndDestroy"] as const) {
      const socket = connectTcp(port, "127.0.0.1");
      await once(socket, "connect");
      const closed = collect(socket);
      await new Promise((resolve) => socket.write(sent, "latin1", resolve));
      socket[hangUp]();
      await closed;
    }
  }
  expect(await secureGet()).toBe("secure GET");
  process.off("uncaughtException", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("TLS works with keep-alive, with bodies, and with a ClientHello that arrives one byte at a time", async () => {
  // A proxy that splits the client's data into single bytes.
  const upstream = connectTcp(port, "127.0.0.1").setNoDelay();
  const slow = createTcpServer((client) => {
    client.on("data", async (chunk) => {
      client.pause();
      for (const byte of Buffer.from(chunk)) await new Promise((resolve) => upstream.write(Buffer.of(byte), resolve));
      client.resume();
    });
    upstream.pipe(client);
    client.on("close", () => upstream.destroy());
  }).listen(0, "127.0.0.1");
  await once(slow, "listening");
  const socket = connectTls({
    port: (slow.address() as AddressInfo).port,
    host: "127.0.0.1",
    servername: "localhost",
    ca,
  });
  await once(socket, "secureConnect");
  const response = collect(socket);
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect((await response).match(/secure (POST|GET)/g)).toEqual(["secure POST", "secure GET"]);
  slow.close();
});

test("TLS below 1.2 is rejected", async () => {
  const socket = connectTls({
    port,
    host: "127.0.0.1",
    servername: "localhost",
    ca,
    minVersion: "TLSv1.1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  const [error] = await once(socket, "error");
  expect(error.code).toMatch(/PROTOCOL_VERSION/);
});

test("a silent connection, or an incomplete plain request, is closed after ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const sent of ["", "GET / HT"]) {
    const connection = once(server, "connection");
    const socket = connectTcp(port, "127.0.0.1");
    const closed = collect(socket);
    const [peer] = (await connection) as [Socket];
    if (sent !== "") {
      socket.write(sent);
      while (peer.bytesRead < sent.length) await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.advanceTimersByTimeAsync(9_999);
    expect(peer.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(peer.destroyed).toBe(true);
    expect(await closed).toBe("");
  }
});

test("a stopping server does not wait for silent connections", async () => {
  const connection = once(server, "connection");
  const closed = collect(connectTcp(port, "127.0.0.1"));
  await connection;
  await new Promise((resolve) => server.close(resolve));
  await closed;
});
