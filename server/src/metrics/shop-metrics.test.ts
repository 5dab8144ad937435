import { Readable } from "node:stream";
import { LoopRenderer } from "@beatmarket/audio/synthesizer/loop-renderer.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { openTransfers } from "../media/transfers.ts";
import { registerLoops, registerTransfers } from "./shop-metrics.ts";

const linesOf = async (registry: Registry) => (await registry.metrics()).split("\n");

test("open transfers are shown by kind, with the limit of each kind", async () => {
  const registry = new Registry();
  const transfers = openTransfers();
  registerTransfers(transfers, registry);
  const sent = await transfers.previews.send({ clientAddress: "192.0.2.1" } as RequestContext, async () =>
    Readable.from(["a"]),
  );
  expect(await linesOf(registry)).toEqual(
    expect.arrayContaining([
      'beatmarket_transfers{of="previews"} 1',
      'beatmarket_transfers{of="downloads"} 0',
      'beatmarket_transfers_max{of="previews"} 64',
      'beatmarket_transfers_max{of="images"} 256',
      'beatmarket_transfers_max{of="uploads"} 64',
      'beatmarket_transfers_max{of="downloads"} 1024',
    ]),
  );
  await sent.toArray();
  expect(await linesOf(registry)).toContain('beatmarket_transfers{of="previews"} 0');
});

test("the loops that wait for the demo's renderer are shown, and the loops in its cache", async () => {
  const registry = new Registry();
  const loops = new LoopRenderer();
  onTestFinished(() => loops.close());
  registerLoops(loops, registry);
  const rendering = loops.find({ id: 1, tempo: 250, keyCode: 3, genreName: "Pop" });
  expect(await linesOf(registry)).toEqual(
    expect.arrayContaining(["beatmarket_loops_waiting 1", "beatmarket_loops_waiting_max 48"]),
  );
  const { body } = await rendering;
  expect(await linesOf(registry)).toEqual(
    expect.arrayContaining([
      "beatmarket_loops_waiting 0",
      "beatmarket_loop_cache_entries 1",
      `beatmarket_loop_cache_bytes ${body.length}`,
    ]),
  );
});
