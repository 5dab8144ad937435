import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { respondToClientError } from "@beatmarket/http/transport/client-error.ts";
import { loggedCall } from "@beatmarket/request-log/testing/log-entries.ts";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { publicUrl, testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";

const api = await testApi();
let port = 0;

beforeAll(async () => {
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  port = (api.app.server.address() as AddressInfo).port;
});

/** Sends raw bytes, and returns everything received until the server closes the connection. */
const exchange = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let response = "";
    socket.on("data", (chunk) => {
      response += chunk.toString();
    });
    socket.on("close", () => resolve(response));
    socket.on("error", reject);
  });

describe("a malformed request", () => {
  it.each([
    ["NONSENSE\r\n\r\n", 400, /well-formed/],
    ["GET /v1/beats HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n", 400, /well-formed/],
    [`GET /v1/beats HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(20_000)}\r\n\r\n`, 431, /at most 16 kB/],
    [
      "POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      /well-formed/,
    ],
  ])("%# is answered in the contract's form and the connection closed", async (bytes, status, details) => {
    const [head = "", body = ""] = (await exchange(bytes)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain("Connection: close");
    expect(JSON.parse(body)).toMatchObject({
      status: "error",
      error: { code: "invalid_request", details: expect.stringMatching(details) },
    });
  });
});

describe("a connection", () => {
  const connections = () =>
    new Promise<number>((resolve) => api.app.server.getConnections((_, count) => resolve(count)));

  it("is closed after the response to a malformed request, even if the client never closes it", async () => {
    await expect.poll(connections).toBe(0);
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.write("NONSENSE\r\n\r\n"));
    socket.on("error", () => {});
    await once(socket.resume(), "end");
    await expect.poll(connections).toBe(0);
    socket.destroy();
  });

  it("is closed without a response if its handshake times out", async () => {
    const destroyed = vi.fn();
    const unfinished = new TLSSocket(new Socket(), { isServer: true });
    unfinished.destroy = destroyed;
    const end = vi.spyOn(unfinished, "end");
    respondToClientError(
      Object.assign(new Error("TLS handshake timeout"), { code: "ERR_TLS_HANDSHAKE_TIMEOUT" }),
      unfinished,
    );
    expect(destroyed).toHaveBeenCalled();
    expect(end).not.toHaveBeenCalled();
  });
});

describe("the target of a request", () => {
  const get = (target: string, version = "HTTP/1.1") =>
    exchange(`GET ${target} ${version}\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\nConnection: close\r\n\r\n`);

  it.each([
    ["*", "HTTP/1.1"],
    ["/v1/beats#top", "HTTP/1.1"],
    ["/v1/beats", "HTTP/2.0"],
    ["/v1/beats", "HTTP/0.9"],
  ])("%s of %s is answered 400, and the connection closed", async (target, version) => {
    const [head, body = ""] = (await get(target, version)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1.1 400 .*connection: close/s);
    expect(JSON.parse(body)).toMatchObject({
      status: "error",
      error: { details: expect.stringMatching(/well-formed/) },
    });
  });

  it.each(["https://proxy.example/v1/beats?limit=1", "HTTP://proxy.example:81/v1/beats?limit=1"])(
    "%s, as proxies send it, is treated as its path, cached or not, and its host is ignored",
    async (target) => {
      await insertBeats(api.database, [{ title: "One" }, { title: "Two" }]);
      for (const _made of ["made", "kept"]) {
        const response = await get(target);
        expect(response).toMatch(/^HTTP\/1.1 200 /);
        expect(response).toContain(`"next_page_url":"${publicUrl}/v1/beats?`);
        expect(response).not.toContain("proxy.example");
      }
      expect(await get("https://proxy.example")).toMatch(/^HTTP\/1.1 302 /);
    },
  );
});

describe("a path with stray percent signs", () => {
  it.each(["/v1/beats/%zz", "/v1/beats/%FF", "/v1/beats/%", "/v1/beats/5%"])(
    "%s is 401 without a key, and 400 with a key",
    async (url) => {
      expect((await api.get(url, { key: null })).statusCode).toBe(401);
      const response = await api.get(url);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toMatch(/beat_id parameter must be a valid integer/);
      await expect.poll(() => loggedCall(api.database, response.headers["x-request-id"])).toMatchObject({ path: url });
    },
  );
});

describe("a method that a path does not allow", () => {
  it.each(["PROPFIND", "TRACE", "M-SEARCH", "PATCH"])("%s is 405, with the allowed methods", async (method) => {
    const response = await api.request({
      method: method as "GET",
      url: "/v1/beats",
      headers: { authorization: `Bearer ${api.key}` },
    });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe("GET, HEAD, POST");
  });
});
