import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Cluster } from "./cluster.ts";

/** A node that responds with this status, and counts its requests. */
async function node() {
  const seen = { requests: 0, status: 200 };
  const server = createServer((request, response) => {
    request.resume();
    // The client checks with HEAD whether a node responds again.
    if (request.method !== "HEAD") seen.requests++;
    response.writeHead(seen.status, { "content-type": "application/json" }).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function clusterOf(count: number) {
  const nodes = await Promise.all(Array.from({ length: count }, node));
  const cluster = new Cluster({ nodes: nodes.map(({ url }) => url), prefix: "test" });
  onTestFinished(() => cluster.close());
  const ask = () => cluster.request("GET", "/");
  await ask();
  const asked = nodes.find(({ seen }) => seen.requests > 0) as (typeof nodes)[number];
  return { nodes, cluster, ask, asked };
}

test("all requests go to one node while it responds, and to another one after a failure", async () => {
  const { nodes, cluster, ask, asked } = await clusterOf(3);
  const { moves } = cluster;
  for (let count = 0; count < 9; count++) await ask();
  expect(asked.seen.requests).toBe(10);
  expect(cluster.moves).toBe(moves);
  asked.seen.status = 503;
  await ask();
  expect(cluster.moves).toBe(moves + 1);
  asked.seen.status = 200;
  const before = nodes.map(({ seen }) => seen.requests);
  for (let count = 0; count < 3; count++) await ask();
  expect(cluster.moves).toBe(moves + 1);
  expect(nodes.map(({ seen }, at) => seen.requests - (before[at] as number)).sort()).toEqual([0, 0, 3]);
});

test("after `move`, requests go to another node", async () => {
  const { cluster, ask, asked } = await clusterOf(2);
  const { moves } = cluster;
  cluster.move();
  await ask();
  expect(asked.seen.requests).toBe(1);
  expect(cluster.moves).toBe(moves + 1);
});

test("a request fails with 503 after each node was tried, if no node responds", async () => {
  const { nodes, ask } = await clusterOf(3);
  for (const { seen } of nodes) Object.assign(seen, { status: 503, requests: 0 });
  await expect(ask()).rejects.toMatchObject({ status: 503 });
  expect(nodes.map(({ seen }) => seen.requests)).toEqual([1, 1, 1]);
  for (const { seen } of nodes) seen.status = 200;
  await ask();
});
