import type { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { expect, test } from "vitest";
import type { FeedState, StateStore } from "./feed/state.ts";
import { Freshness } from "./freshness.ts";

/** `positions` are the positions that the nodes report, one for each request. The last one repeats. */
function freshness(newest: number, positions: number[]) {
  const cluster = { moves: 1, move: () => {} };
  const read: number[] = [];
  const state = {
    read: async () => {
      const position = positions[Math.min(read.length, positions.length - 1)] as number;
      read.push(position);
      return { place: { position } } as FeedState;
    },
  };
  const reader = { read: async () => ({ position: newest }) };
  const catalogue = { current: 3, isFollowed: true };
  return {
    cluster,
    read,
    state,
    freshness: new Freshness(catalogue, reader as unknown as SnapshotReader, state as unknown as StateStore, cluster),
  };
}

test("a version that was reached needs no check until another node responds", async () => {
  const { freshness: fresh, cluster, read } = freshness(7, [7]);
  await fresh.reach(3);
  await fresh.reach(2);
  await fresh.reach(3);
  expect(read).toEqual([7]);
  cluster.moves++;
  await fresh.reach(2);
  expect(read).toEqual([7, 7]);
});

test("a query waits until the present node has the newest change, even if another node had it before", async () => {
  const { freshness: fresh, cluster, read } = freshness(7, [7, 4, 5, 7]);
  await fresh.reach(3);
  cluster.moves++;
  await fresh.reach(3);
  expect(read).toEqual([7, 4, 5, 7]);
});

test("a state that was read while another node responded is read again", async () => {
  const { freshness: fresh, cluster, read, state } = freshness(7, [7]);
  const { read: readState } = state;
  state.read = async () => {
    if (read.length === 0) cluster.moves++;
    return readState();
  };
  await fresh.reach(3);
  expect(read).toEqual([7, 7]);
});
