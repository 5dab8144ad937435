import net from "node:net";
import { constants } from "node:os";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Outcome, Sender } from "../sender.ts";

/** Spellings, in urls, of hosts that are not public. */
const hosts: Record<string, string[]> = {
  loopback: ["127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1"],
  "loopback, octal and odd": [
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "１２７.０.０.１",
    "127。0。0。1",
    "%31%32%37.0.0.1",
  ],
  "this machine": ["0.0.0.0", "0", "0.1.2.3", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]"],
  private: ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.1.1", "0xa000001"],
  "link-local, metadata": ["169.254.0.1", "169.254.169.254", "2852039166", "0xA9FEA9FE", "[fe80::1]", "[febf::1]"],
  "metadata elsewhere": ["168.63.129.16", "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]"],
  "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
  multicast: ["224.0.0.1", "239.255.255.255", "[ff02::1]", "[ff0e::1]"],
  "broadcast, reserved": ["255.255.255.255", "240.0.0.1", "192.0.0.1", "192.88.99.1", "198.18.0.1", "198.19.255.255"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "[2001:db8::1]", "[3fff::1]"],
  "IPv4-mapped": [
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:8.8.8.8]",
  ],
  "IPv4-compatible": ["[::127.0.0.1]", "[::a00:1]"],
  "IPv4-translated": ["[::ffff:0:127.0.0.1]"],
  NAT64: ["[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]"],
  "6to4, Teredo": ["[2002:7f00:1::]", "[2002:a9fe:a9fe::]", "[2001::1]"],
  "unique-local, site-local": ["[fc00::1]", "[fd12:3456:789a::1]", "[fec0::1]"],
  "discard, ORCHID, segments": ["[100::1]", "[2001:20::1]", "[5f00::1]"],
  names: ["localhost", "LOCALHOST", "localhost.", "a.localhost", "metadata.google.internal", "printer.local"],
};
const spellings = Object.entries(hosts).flatMap(([kind, value]) => value.map((host) => [host, kind] as const));

/** Addresses that are not public, in the form of DNS responses. */
const addresses = [
  ...["127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.0.10", "169.254.169.254", "100.64.1.1", "0.0.0.0", "224.0.0.1"],
  ...[
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "ff02::1",
  ],
];
const publicAddresses = ["93.184.216.34", "2606:2800:220:1::1"];

/** The addresses of all connection attempts. Each attempt fails. */
let attempts: string[] = [];
beforeEach(() => {
  attempts = [];
  const connect = net.Socket.prototype.connect;
  vi.spyOn(net.Socket.prototype, "connect").mockImplementation(function (this: net.Socket, ...parameters) {
    this.on("connectionAttempt", (address: string) => {
      attempts.push(address);
      Object.assign(Reflect.get(this, "_handle"), { connect: () => ENETUNREACH, connect6: () => ENETUNREACH });
    });
    return Reflect.apply(connect, this, parameters);
  });
  onTestFinished(() => void vi.restoreAllMocks());
});
const ENETUNREACH = -constants.errno.ENETUNREACH;

const send = (url: string, resolve = async (_: string): Promise<string[]> => publicAddresses): Promise<Outcome> => {
  const sender = new Sender({ userAgent: "Test-Webhooks/1.0", allowPrivate: false, clock: systemClock, resolve });
  onTestFinished(() => sender.close());
  return sender.send({ url, body: Buffer.from("{}"), headers: {} });
};

it("the test sees every connection attempt", async () => {
  expect(await send("https://example.com/")).toMatchObject({
    error: expect.stringContaining("no route to its network"),
  });
  expect(await send("https://93.184.216.34:8443/")).toMatchObject({ status: null });
  expect(await send("https://[2606:2800:220:1::1]/")).toMatchObject({ status: null });
  expect(attempts).toEqual([...publicAddresses, ...publicAddresses]);
});

describe("no connection is attempted", () => {
  it("(at least 60 spellings are tested)", () => expect(spellings.length).toBeGreaterThanOrEqual(60));

  it.each(spellings)("to %s (%s)", async (host) => {
    for (const url of [`https://${host}/`, `https://${host}:8443/latest/meta-data/`, `http://${host}/`]) {
      const outcome = await send(url);
      expect(outcome).toMatchObject({ status: null, timedOut: false });
      expect(outcome.error).toMatch(/^The webhook url /);
    }
    expect(attempts).toEqual([]);
  });

  it.each(addresses)("to a name that resolves to %s, alone or among public addresses", async (address) => {
    for (const answer of [[address], [...publicAddresses, address], [address, ...publicAddresses]]) {
      const { error } = await send("https://innocent.example.com/", async () => answer);
      expect(error).toContain(`innocent.example.com resolves to ${address}, which `);
    }
    expect(attempts).toEqual([]);
  });

  it("to a name without addresses, with an invalid address, or that does not exist", async () => {
    expect(await send("https://empty.example.com/", async () => [])).toMatchObject({ status: null });
    expect(await send("https://odd.example.com/", async () => ["127.1.1"])).toMatchObject({ status: null });
    const absent = Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
    const { error } = await send("https://absent.example.com/", () => Promise.reject(absent));
    expect(error).toBe("The receiver's name does not exist.");
    expect(attempts).toEqual([]);
  });
});

it("a connection uses the checked addresses, even if the name later resolves to others (DNS rebinding)", async () => {
  const queries: string[] = [];
  await send("https://rebinding.example.com/", async (name) => {
    queries.push(name);
    return queries.length === 1 ? publicAddresses : ["127.0.0.1"];
  });
  expect(queries).toEqual(["rebinding.example.com"]);
  expect(attempts).toEqual(publicAddresses);
});
