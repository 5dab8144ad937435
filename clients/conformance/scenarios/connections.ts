import assert from "node:assert/strict";
import { certify } from "../runner/certificates.ts";
import { startConnectProxy } from "../runner/connect-proxy.ts";
import { startFaultProxy } from "../runner/fault-proxy.ts";
import { Actor, type Bed, expectFailure, expectSuccess, type Scenario } from "./scenario.ts";

/** A host with a valid certificate but without an address, so that it is reachable only through a proxy. */
const farHost = "marketplace.test";

/** Asserts that a client does not retry after a certificate error, and that the error explains the cause. */
async function expectUntrusted(actor: Actor, label: string, client: object): Promise<void> {
  const error = expectFailure(await actor.call("listGenres", {}, client), "APIConnectionError");
  assert.ok(error.cause, `${label}: the error has no cause`);
  assert.match(error.text, /certificate/i, label);
  assert.match(error.text, /ca_?file/i, label);
}

export const connections: Scenario[] = [
  {
    name: "48 a client that is forked",
    leftOut: { javascript: "Node.js has no fork", go: "a Go program does not fork" },
    run: async (bed) => {
      const { beats } = bed.facts;
      const actor = new Actor(bed, "48");
      bed.proxy.begin();
      const ids = beats.slice(0, 4);
      const argumentLists = ids.map((beat_id) => ({ beat_id }));
      const args = { operation: "getBeat", children: 4, calls: 5, arguments: argumentLists };
      // When a child of PHP ends, libcurl closes the inherited connection. On a busy machine its parent may send before it
      // sees that, and then repeats the call.
      const canLoseConnection = bed.language === "php";
      const { values, parent } = expectSuccess(
        await actor.do("fork", args, { max_retries: canLoseConnection ? 1 : 0 }),
      );
      assert.deepEqual(
        values,
        ids.map((id) => Array.from({ length: 5 }, () => id)),
      );
      assert.equal(parent, ids[0]);
      const { requests } = bed.proxy;
      assert.equal(requests.length, 22);
      const [first, last] = [requests[0]?.connection, requests.at(-1)?.connection];
      const ofChildren = requests.slice(1, -1).map(({ connection }) => connection);
      assert.ok(!ofChildren.includes(first ?? 0), "a child sent on the connection of its parent");
      assert.equal(new Set(ofChildren).size, 4, "each child has a connection of its own, and keeps it");
      if (!canLoseConnection) assert.equal(last, first, "a child closed the connection of its parent");
    },
  },
  {
    name: "51 certificates: expired, untrusted, for another name",
    run: async (bed) => {
      const { service, proxy } = bed;
      const actor = new Actor(bed, "51");
      const ca = service.authority.cert;
      const cases: [string, Parameters<typeof certify>[1], number][] = [
        ["expired", ["localhost"], -1],
        ["another name", ["other.test"], 1],
      ];
      for (const [label, names, days] of cases) {
        const certificate = await certify(service.authority, names, days);
        const server = await startFaultProxy({ origin: service.origin, ca, certificate });
        try {
          await expectUntrusted(actor, label, { base_url: `${server.origin}/v1` });
          assert.deepEqual([server.connections, server.requests.length], [1, 0], label);
        } finally {
          await server.close();
        }
      }
      proxy.begin();
      await expectUntrusted(actor, "untrusted", { ca_file: bed.otherCaFile });
      assert.deepEqual([proxy.connections, proxy.requests.length], [1, 0]);
    },
  },
  {
    name: "52 HTTPS_PROXY and NO_PROXY",
    run: async (bed) => {
      const { service } = bed;
      const certificate = await certify(service.authority, [farHost, "localhost"], 1);
      const server = await startFaultProxy({ origin: service.origin, ca: service.authority.cert, certificate });
      const through = await startConnectProxy();
      const port = new URL(server.origin).port;
      const farClient = { base_url: `https://${farHost}:${port}/v1`, max_retries: 0 };
      const variables = { HTTPS_PROXY: through.url, https_proxy: through.url };
      try {
        await withDriver(bed, { ...variables, NO_PROXY: "", no_proxy: "" }, async (actor) => {
          expectSuccess(await actor.call("listGenres", {}, farClient));
          assert.deepEqual(through.targets, [`${farHost}:${port}`]);
          assert.equal(server.requests[0]?.headers.host, `${farHost}:${port}`);
          // Without a CA file, the client distrusts the server also through the proxy.
          through.begin();
          await expectUntrusted(actor, "without a CA file", { ...farClient, ca_file: undefined });
          assert.deepEqual(through.targets, [`${farHost}:${port}`]);
        });
        await withDriver(bed, { ...variables, NO_PROXY: "localhost", no_proxy: "localhost" }, async (actor) => {
          through.begin();
          expectSuccess(await actor.call("listGenres", {}, { base_url: `${server.origin}/v1`, max_retries: 0 }));
          assert.deepEqual(through.targets, []);
        });
        // The client does not bypass an unreachable proxy.
        await through.close();
        await withDriver(bed, { ...variables, NO_PROXY: "", no_proxy: "" }, async (actor) => {
          server.begin();
          expectFailure(await actor.call("listGenres", {}, farClient), "APIConnectionError");
          assert.equal(server.connections, 0);
        });
      } finally {
        await Promise.all([through.close(), server.close()]);
      }
    },
  },
];

/** Runs work with a separate driver, whose environment has these variables. */
async function withDriver(bed: Bed, env: Record<string, string>, act: (actor: Actor) => Promise<void>): Promise<void> {
  const driver = bed.startDriver(env);
  try {
    await act(new Actor({ ...bed, driver }, "52"));
  } finally {
    await driver.stop();
  }
}
