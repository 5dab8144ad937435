import { createInterface } from "node:readline";
import { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { IndexQuery } from "@beatmarket/catalogue-index/worker/messages.ts";

// An instance of the index for `npm run faults`. Each input line is a query. With `isFresh` the index catches up first,
// otherwise it answers from its current state. Each output line is a result with its position.

interface Asked {
  id: number;
  isFresh: boolean;
  query: IndexQuery;
}

const [, , url = "", dataDir = ""] = process.argv;
const catalogue = { current: 1, isFollowed: true };
const log = (...parameters: unknown[]) => process.stderr.write(`${parameters.at(-1)}\n`);
const index = await CatalogueIndex.open({
  address: { url },
  session: { applicationName: "asker" },
  catalogue,
  dataDir,
  log: { info: log, warn: log, error: log } as never,
  snapshots: { fromBeats: 1, minAgeMs: 300 },
});

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const lines = createInterface(process.stdin);
lines.on("line", async (line) => {
  const { id, isFresh, query } = JSON.parse(line) as Asked;
  if (isFresh) catalogue.current++;
  try {
    print({ id, ...(await index.ask(query)) });
  } catch (error) {
    print({ id, failure: (error as Error).message });
  }
});
const end = async () => {
  await index.close();
  process.exit();
};
process.once("SIGTERM", end);
// The parent program has ended.
lines.once("close", end);
