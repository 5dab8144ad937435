import { notFound } from "@beatmarket/foundation/errors.ts";
import { expect, test } from "vitest";
import type { ReadServer } from "../connect.ts";
import { CatalogueReads } from "./catalogue-reads.ts";
import type { Replica } from "./replica.ts";

const primary = {} as ReadServer;
const replica = {} as ReadServer;
const withReplica = (current: ReadServer | null) => new CatalogueReads(primary, { current: () => current } as Replica);
const failure = (code: string) => Object.assign(new Error(code), { code });

/** Reads with a statement that fails on the replica. Returns the servers that got the statement. */
async function ask(reads: CatalogueReads, error: Error | null): Promise<{ asked: ReadServer[]; failed: unknown }> {
  const asked: ReadServer[] = [];
  const failed = await reads
    .run(async (server) => {
      asked.push(server);
      if (server === replica && error !== null) throw error;
      return null;
    })
    .catch((thrown) => thrown);
  return { asked, failed };
}

test.each(["40001", "57P01", "CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNREFUSED"])(
  "a read that the replica ends with %s is made again on the primary",
  async (code) => {
    const reads = withReplica(replica);
    const { asked, failed } = await ask(reads, failure(code));
    expect(asked).toEqual([replica, primary]);
    expect(failed).toBeNull();
    expect(reads.counts).toEqual({ primary: 1, replica: 1 });
  },
);

test.each([
  ["a refusal", notFound("Beat 1 does not exist.")],
  ["a statement that takes too long", failure("57014")],
])("%s is the answer, not a failure of the replica", async (_what, error) => {
  const { asked, failed } = await ask(withReplica(replica), error);
  expect(asked).toEqual([replica]);
  expect(failed).toBe(error);
});

test.each([
  ["without a replica", new CatalogueReads(primary, null)],
  ["while the replica cannot be read", withReplica(null)],
])("%s the primary is asked", async (_when, reads) => {
  expect((await ask(reads, null)).asked).toEqual([primary]);
  expect(reads.counts).toEqual({ primary: 1, replica: 0 });
});
