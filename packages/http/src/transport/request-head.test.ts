import { type AddressInfo, connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { openRoutes, unlimitedConnections } from "../../testing/routes.ts";
import { openRoute } from "../pipeline/open-route.ts";
import { createServer, drain, listen } from "./server.ts";

const routes = openRoutes([
  openRoute("/read", () => ({ status: 200, body: "read" })),
  openRoute("/echo", ({ body }) => ({ status: 200, body: body ?? "" }), { method: "POST" }),
]);
const server = createServer(null, routes.handle, unlimitedConnections());
await listen(server, { port: 0, host: "127.0.0.1" });
afterAll(() => drain(server));

/** Sends the lines of a head. Returns all bytes received until the server closes the connection. */
const exchange = (lines: readonly string[], body = ""): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
    let response = "";
    socket.on("data", (chunk) => {
      response += chunk.toString();
    });
    socket.on("close", () => resolve(response)).on("error", reject);
  });
const close = "Connection: close";

async function expectRefusal(response: Promise<string>, status: number, details: RegExp) {
  const [head = "", body = ""] = (await response).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^connection: close$/im);
  expect(JSON.parse(body)).toMatchObject({
    status: "error",
    error: { code: "invalid_request", details: expect.stringMatching(details) },
  });
}

describe("a Host header", () => {
  it.each([
    ["absent", [], /no Host header/],
    ["repeated", ["Host: a.example", "Host: a.example"], /more than one Host/],
    ["repeated with another value", ["Host: a.example", "host: b.example"], /more than one Host/],
    ["empty", ["Host:"], /Host header is not a host/],
    ["a list", ["Host: a.example, b.example"], /Host header is not a host/],
    ["with credentials", ["Host: user@a.example"], /Host header is not a host/],
    ["with a path", ["Host: a.example/v1"], /Host header is not a host/],
    ["with a scheme", ["Host: https://a.example"], /Host header is not a host/],
    ["with a space", ["Host: a b"], /Host header is not a host/],
    ["with an invalid port", ["Host: a.example:https"], /Host header is not a host/],
    ["not in ASCII", ["Host: ä.example"], /Host header is not a host/],
  ])("that is %s gets 400", async (_, hosts, details) => {
    await expectRefusal(exchange(["GET /read HTTP/1.1", ...hosts]), 400, details);
  });

  it.each(["a.example", "a.example:8443", "A_b.example.", "127.0.0.1:1", "[::1]", "[2001:db8::1]:8443", "a.example:"])(
    "%s is served",
    async (host) => {
      expect(await exchange(["GET /read HTTP/1.1", `Host: ${host}`, close])).toMatch(/^HTTP\/1.1 200 .*read$/s);
    },
  );

  it("may be absent in HTTP/1.0", async () => {
    expect(await exchange(["GET /read HTTP/1.0"])).toMatch(/^HTTP\/1.1 200 .*read$/s);
  });
});

describe("an expectation", () => {
  it.each(["foo", "100-continue, foo", "foo=100-continue", "200-ok"])("%s is 417", async (expectation) => {
    await expectRefusal(
      exchange(["GET /read HTTP/1.1", "Host: x", `Expect: ${expectation}`]),
      417,
      /100-continue only/,
    );
  });

  it("of 100-continue gets 100 Continue", async () => {
    const head = ["POST /echo HTTP/1.1", "Host: x", "Expect: 100-Continue", "Content-Length: 2", close];
    expect(await exchange(head, "{}")).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 .*{}$/s);
  });
});

it.each(["a.example:22", "/read"])("CONNECT %s is 400", async (target) => {
  await expectRefusal(exchange([`CONNECT ${target} HTTP/1.1`, "Host: a.example:22"]), 400, /CONNECT is not supported/);
});

describe("a transfer coding", () => {
  it.each(["identity, chunked", "gzip, chunked", "chunked, chunked", "identity", "x-unknown, chunked"])(
    "%s is 400",
    async (coding) => {
      const head = ["POST /echo HTTP/1.1", "Host: x", `Transfer-Encoding: ${coding}`];
      await expectRefusal(exchange(head, "0\r\n\r\n"), 400, /well-formed/);
    },
  );

  it("is 400 if repeated, and in HTTP/1.0", async () => {
    const twice = ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"];
    await expectRefusal(exchange(["POST /echo HTTP/1.1", "Host: x", ...twice], "0\r\n\r\n"), 400, /well-formed/);
    const [once = ""] = twice;
    await expectRefusal(exchange(["POST /echo HTTP/1.0", "Host: x", once], "0\r\n\r\n"), 400, /well-formed/);
  });

  it("chunked is read, also with a capital letter", async () => {
    const head = ["POST /echo HTTP/1.1", "Host: x", "Transfer-Encoding: Chunked", close];
    expect(await exchange(head, "2\r\n{}\r\n0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 .*{}$/s);
  });
});

it.each([
  "ftp://a.example/read",
  "file:///read",
  "ws://a.example/read",
  "https:///read",
  "https://user:password@a.example/read",
  "https://a.example:port/read",
  "https:read",
  "a.example/read",
])("the target %s is 400", async (target) => {
  await expectRefusal(exchange([`GET ${target} HTTP/1.1`, "Host: a.example"]), 400, /well-formed/);
});
