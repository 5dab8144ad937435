import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database.ts";

test("answers that were read are cleared with the young objects, not kept until all are cleared", async () => {
  const { driver } = await testDatabase();
  const read = async () => {
    const [row] = await driver.unsafe("select json_agg(n) as list from generate_series(1, 5000) n", [], {
      prepare: true,
    });
    return row?.list.length;
  };
  expect(await read()).toBe(5000);
  const before = heldBytes();
  for (let count = 0; count < 200; count++) await read();
  // All of them are 8 MB.
  expect(heldBytes() - before).toBeLessThan(2_000_000);
});

/** What is held after the young objects were cleared as often as it takes to count as old. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  const clear = runInNewContext("gc") as (options: { type: "minor" }) => void;
  for (let times = 0; times < 2; times++) clear({ type: "minor" });
  return getHeapSpaceStatistics().reduce((sum, space) => sum + space.space_used_size, 0);
}
