// Runs one contender, alone in a process: opens it, answers the batches of queries that the parent sends, and measures.
import { setTimeout as sleep } from "node:timers/promises";
import { readCatalogue } from "./catalogue.mjs";

const [name, folder, rows] = process.argv.slice(2);

try {
  const contender = await opened();
  const cpuMs = contender.cpuMs ?? ownCpuMs;
  process.on("message", async ({ queries, changes, budgetMs }) => {
    try {
      const results = [];
      const startMs = performance.now();
      for (const query of queries ?? changes) {
        if (performance.now() - startMs > budgetMs) break;
        const cpuBeforeMs = cpuMs();
        const beforeMs = performance.now();
        const answer = await (queries ? ask(contender, query) : contender.change(query.id, query.beat));
        const wallMs = performance.now() - beforeMs;
        results.push({ wallMs, cpuMs: cpuMs() - cpuBeforeMs, answer });
      }
      process.send({ results });
    } catch (error) {
      process.send({ failed: error.message.split("\n")[0] });
    }
  });
  process.on("disconnect", async () => {
    await contender.close?.();
    process.exit();
  });
} catch (error) {
  process.send({ failed: error.message.split("\n")[0] });
  process.disconnect();
}

async function opened() {
  let beats = readCatalogue(folder, Number(rows));
  const columnsMb = Object.values(beats).reduce((sum, column) => sum + (column.byteLength ?? 0), 0) / 1e6;
  await settle();
  const beforeMb = process.memoryUsage.rss() / 1e6 - columnsMb;
  const startMs = performance.now();
  const { open } = await import(`./contenders/${name}.mjs`);
  const contender = await open(beats, folder);
  const buildSeconds = (performance.now() - startMs) / 1_000;
  beats = undefined;
  await settle();
  const memoryMb = process.memoryUsage.rss() / 1e6 - beforeMb;
  process.send({ ready: { buildSeconds, memoryMb, ...(await contender.size?.()) } });
  return contender;
}

async function settle() {
  for (let n = 0; n < 3; n++) {
    globalThis.gc();
    await sleep(200);
  }
}

const ask = (contender, query) =>
  "words" in query
    ? contender.search?.(query)
    : "similarTo" in query
      ? contender.similar?.(query)
      : contender.list?.(query);

function ownCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
