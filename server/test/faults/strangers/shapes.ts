import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { generateKey } from "../../../src/resources/api-keys/key-format.ts";
import { type Flood, readSlowly, type StrangeRequest, type Stranger, strangersAddress, writeSlowly } from "./flood.ts";

const maxTargetLength = 15_800;
const beats = 1_000;
const random = () => randomBytes(24).toString("base64url");

/** Repeats a unit until it is as long as the longest target. */
const repeatToLimit = (unit: string) => unit.repeat(Math.floor(maxTargetLength / unit.length));

/** Texts that are the worst case of known regular expressions: words of secrets, quotes, digits, separators. */
const units = ['"cvcv', "secret=", "a%5B", "4 4-", "bm_", "token.", "%22%5C", "passw&", "&", "/", "%2e%2e/", "=;,"];

const repeatRequest =
  (request: (turn: number) => StrangeRequest): Stranger =>
  (flood, untilMs) =>
    flood.repeat(untilMs, request);

/** A call of the portal's pages. */
const portal = (flood: Flood, path: string, body: object): StrangeRequest => ({
  method: "POST",
  path: `/portal/api${path}`,
  headers: { origin: flood.address.origin, "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Every known attack of strangers, by name. */
export const shapes: Record<string, Stranger> = {
  "long targets": repeatRequest((turn) => {
    const text = repeatToLimit(units[turn % units.length] ?? "");
    return { path: turn % 2 === 0 ? `/${text}${turn}` : `/v1/search?q=${text}${turn}` };
  }),
  "no keys": repeatRequest((turn) => ({ path: `/v1/beats?page=${turn}` })),
  "bad keys": repeatRequest(() => ({ path: "/v1/beats", headers: { authorization: `Bearer ${generateKey()}` } })),
  "unread previews": (flood, untilMs) =>
    flood.connections(untilMs, (socket) => {
      socket.pause();
      socket.write(`GET /media/beats/${1 + (flood.turn % beats)}.wav HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    }),
  "slow readers": (flood, untilMs) =>
    flood.connections(untilMs, (socket) => {
      socket.write(`GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      readSlowly(socket, 100);
    }),
  "slow writers": (flood, untilMs) =>
    flood.connections(untilMs, (socket) =>
      writeSlowly(
        socket,
        `POST /portal/api/auth/register HTTP/1.1\r\nHost: localhost\r\nOrigin: ${flood.address.origin}\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`,
      ),
    ),
  "half-open TLS": async (flood, untilMs) => {
    while (performance.now() < untilMs) {
      const socket = connect({ port: flood.port, host: "127.0.0.1", localAddress: strangersAddress });
      socket.on("error", () => {});
      socket.on("connect", () => socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1])));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      await Promise.race([closed, sleep(Math.max(1, untilMs - performance.now()), null, { ref: false })]);
      flood.count("closed");
      socket.destroy();
      await sleep(20);
    }
  },
  handshakes: (flood, untilMs) => flood.connections(untilMs, (socket) => socket.end()),
  previews: repeatRequest((turn) => ({ path: `/media/beats/${1 + (turn % beats)}.wav` })),
  covers: repeatRequest((turn) => ({ path: `/media/beats/${1 + (turn % beats)}.svg?${turn}` })),
  "pipelined requests": (flood, untilMs) =>
    flood.connections(untilMs, (socket) => {
      const burst = "GET /v1/beats HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1_000);
      socket.resume();
      const send = (): void => {
        while (socket.writable && socket.write(burst)) {}
      };
      socket.on("drain", send);
      send();
    }),
  "forged tokens": (flood, untilMs) =>
    flood.repeat(untilMs, (turn) => {
      const cookie = ["__Host-", "__Secure-"]
        .map((prefix) => `${prefix}beatmarket.session_token=${random()}.${random()}`)
        .join("; ");
      if (turn % 3 === 0) return portal(flood, "/auth/confirm", { token: random(), password: random() });
      if (turn % 3 === 1) return { path: "/portal/api/keys", headers: { cookie } };
      return { path: `/v1/beats?after=${random()}`, headers: { cookie, "x-explorer-key": String(turn) } };
    }),
  "oversize bodies": repeatRequest(() => ({
    method: "POST",
    path: "/v1/orders",
    headers: { authorization: `Bearer ${generateKey()}`, "content-type": "application/json" },
    body: oversize,
  })),
  readyz: repeatRequest(() => ({ path: "/readyz" })),
  "portal API": repeatRequest(() => ({ path: "/portal/api/session" })),
  "sign-ins": (flood, untilMs) =>
    flood.repeat(untilMs, (turn) =>
      portal(flood, "/auth/sign-in", { email: `stranger-${turn}@example.com`, password: random() }),
    ),
  registrations: (flood, untilMs) =>
    flood.repeat(untilMs, (turn) => {
      const email = `stranger-${turn}@example.com`;
      return turn % 2 === 0
        ? portal(flood, "/auth/register", { name: "Stranger", email, password: random() })
        : portal(flood, "/auth/request-reset", { email });
    }),
  pages: repeatRequest((turn) => ({
    path: ["/portal", "/explorer", "/openapi.json", "/", "/nothing"][turn % 5] ?? "/",
  })),
};

const oversize = Buffer.alloc(1_000_000, "x");
