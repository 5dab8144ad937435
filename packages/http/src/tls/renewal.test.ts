import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Certificate } from "./certificate.ts";
import { issueAuthority, issueServerCertificate, newPrivateKey } from "./issue.ts";
import { tlsOptions } from "./options.ts";
import { renewDaily } from "./renewal.ts";

const dayMs = 86_400_000;
const log = { info: vi.fn(), warn: vi.fn() };
const caKey = newPrivateKey();
const ca = await issueAuthority(caKey, "Beats", Date.now());

async function certificate(host: string): Promise<Certificate> {
  const key = newPrivateKey();
  return { key, cert: await issueServerCertificate({ key: caKey, cert: ca }, key, [host], Date.now()) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  log.info.mockClear();
  log.warn.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the name in the certificate of a new connection. */
const nameInCertificate = (server: Server): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: "127.0.0.1", port, ca, checkServerIdentity: () => undefined }, () => {
      resolve(socket.getPeerCertificate().subjectaltname);
      socket.end();
    });
    socket.on("error", reject);
  });

async function serve(inUse: Certificate, load: () => Promise<Certificate>) {
  const server = createServer(tlsOptions(inUse)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const use = (next: Certificate) => server.setSecureContext(tlsOptions(next));
  return { server, stop: renewDaily(inUse, load, log, use) };
}

test("new connections use a new certificate within a day, without a restart", async () => {
  const [before, after] = [await certificate("before.example"), await certificate("after.example")];
  const { server, stop } = await serve(before, async () => after);
  expect(await nameInCertificate(server)).toBe("DNS:before.example");
  await vi.advanceTimersByTimeAsync(dayMs);
  expect(await nameInCertificate(server)).toBe("DNS:after.example");
  await vi.advanceTimersByTimeAsync(dayMs);
  expect(log.info).toHaveBeenCalledOnce();
  stop();
  server.close();
});

test("a certificate that cannot be read does not replace the current certificate, and is logged as a warning", async () => {
  const before = await certificate("before.example");
  const { server, stop } = await serve(before, () => Promise.reject(new Error("TLS_CERT expired")));
  await vi.advanceTimersByTimeAsync(dayMs);
  expect(await nameInCertificate(server)).toBe("DNS:before.example");
  expect(log.warn).toHaveBeenCalledExactlyOnceWith("The TLS certificate stays as it is: TLS_CERT expired");
  stop();
  server.close();
});

test("a stopped renewal does not load the certificate", async () => {
  const load = vi.fn();
  const { server, stop } = await serve(await certificate("before.example"), load);
  stop();
  await vi.advanceTimersByTimeAsync(3 * dayMs);
  expect(load).not.toHaveBeenCalled();
  server.close();
});
