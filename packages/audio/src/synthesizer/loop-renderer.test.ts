import { expect, onTestFinished, test } from "vitest";
import type { LoopBeat } from "./loop.ts";
import { renderLoop } from "./loop.ts";
import { LoopRenderer } from "./loop-renderer.ts";

const beat = (id: number): LoopBeat => ({ id, tempo: 250, keyCode: 3, genreName: "Pop" });

function renderer(options?: { maxWaiting?: number; cacheBytes?: number }): LoopRenderer {
  const renderer = new LoopRenderer(options);
  onTestFinished(() => renderer.close());
  return renderer;
}

test("the thread renders the same loop as this thread", async () => {
  const { body, etag } = await renderer().find(beat(1));
  expect(body.equals(renderLoop(beat(1)))).toBe(true);
  expect(etag).toMatch(/^"[\w-]{27}"$/);
});

test("many concurrent and later requests for one loop cause one rendering", async () => {
  const loops = renderer();
  const loopFiles = await Promise.all(Array.from({ length: 100 }, () => loops.find(beat(1))));
  expect(new Set(loopFiles).size).toBe(1);
  expect(await loops.find(beat(1))).toBe(loopFiles[0]);
  expect(loops.rendered).toBe(1);
});

test("this thread continues while a loop is rendered", async () => {
  const loops = renderer();
  let isDone = false;
  const rendering = loops.find({ ...beat(1), tempo: 31 }).then(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await rendering;
  expect(turns).toBeGreaterThan(10);
});

test("above the limit of loops, others are refused with 503 and Retry-After; cached loops are served", async () => {
  const loops = renderer({ maxWaiting: 3 });
  await loops.find(beat(9));
  const waiting = [1, 2, 3].map((id) => loops.find(beat(id)));
  await expect(loops.find(beat(4))).rejects.toMatchObject({ status: 503, code: "server_error", headers: { "retry-after": "5" } }); // biome-ignore format: one sentence
  await expect(loops.find(beat(9))).resolves.toMatchObject({ body: expect.any(Buffer) });
  expect((await Promise.all(waiting)).every(({ body }) => body.length > 1_000)).toBe(true);
  await expect(loops.find(beat(4))).resolves.toMatchObject({ body: expect.any(Buffer) });
});

test("if the thread ends, waiting requests fail, and the next request starts a new thread", async () => {
  const loops = renderer();
  const request = loops.find(beat(1));
  const rejection = expect(request).rejects.toThrow("ended");
  await loops.close();
  await rejection;
  expect((await loops.find(beat(1))).body.length).toBeGreaterThan(1_000);
});

test("the size of the cache is limited: the least recently used loop is removed", async () => {
  const loops = renderer({ cacheBytes: 3_000_000 });
  const sizes = [];
  for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9]) sizes.push((await loops.find(beat(id))).body.length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(3_000_000);
  await loops.find(beat(9));
  expect(loops.rendered).toBe(9);
  await loops.find(beat(1));
  expect(loops.rendered).toBe(10);
});
