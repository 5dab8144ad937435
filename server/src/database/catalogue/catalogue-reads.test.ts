import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Replica } from "@beatmarket/postgres/connection/replica.ts";
import { expect, test } from "vitest";
import type { ReadServer } from "../connect.ts";
import { CatalogueReads } from "./catalogue-version.ts";

const primary = {} as ReadServer;
const replica = {} as ReadServer;
const withReplica = (current: ReadServer | null) => new CatalogueReads(primary, { current: () => current } as Replica);
const failure = (code: string) => Object.assign(new Error(code), { code });

/** Reads with a statement that fails on the replica. Returns the servers that got the statement. */
async function ask(reads: CatalogueReads, error: Error | null): Promise<{ servers: ReadServer[]; outcome: unknown }> {
  const servers: ReadServer[] = [];
  const outcome = await reads
    .run(async (server) => {
      servers.push(server);
      if (server === replica && error !== null) throw error;
      return null;
    })
    .catch((thrown) => thrown);
  return { servers, outcome };
}

test.each(["40001", "57P01", "CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNREFUSED"])(
  "a read that the replica ends with %s is repeated on the primary",
  async (code) => {
    const reads = withReplica(replica);
    const { servers, outcome } = await ask(reads, failure(code));
    expect(servers).toEqual([replica, primary]);
    expect(outcome).toBeNull();
    expect(reads.counts).toEqual({ primary: 1, replica: 1 });
  },
);

test.each([
  ["a refusal", notFound("Beat 1 does not exist.")],
  ["a statement that takes too long", failure("57014")],
])("%s is returned, and does not count as a failure of the replica", async (_what, error) => {
  const { servers, outcome } = await ask(withReplica(replica), error);
  expect(servers).toEqual([replica]);
  expect(outcome).toBe(error);
});

test.each([
  ["without a replica", new CatalogueReads(primary, null)],
  ["while the replica cannot be read", withReplica(null)],
])("%s the primary is read", async (_when, reads) => {
  expect((await ask(reads, null)).servers).toEqual([primary]);
  expect(reads.counts).toEqual({ primary: 1, replica: 0 });
});
