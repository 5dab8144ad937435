import { writeSnapshot } from "../src/worker/snapshot-file.ts";

// Writes snapshots one after another until it is killed: each has arrays full of its number.
const [, , file = ""] = process.argv;
const owner = { program: "p", cluster: "c", database: "d" };
for (let number = 1; ; number++) {
  const arrays = { bytes: new Uint8Array(3_000_000).fill(number), numbers: new Float64Array(100_000).fill(number) };
  await writeSnapshot(file, owner, {
    place: { position: number, rowId: number, changedAt: "", count: 0 },
    madeAtMs: number,
    arrays,
  });
  if (number === 1) process.stdout.write("writing\n");
}
