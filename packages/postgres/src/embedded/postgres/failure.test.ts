import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { expect, test } from "vitest";
import { clusterFailure } from "./failure.ts";

test.each([
  ['could not write to file "pg_wal": No space left on device', "The disk is full: free some space and start again."],
  ["ENOSPC: no space left on device, copyfile", "The disk is full: free some space and start again."],
  ["spawn /data/bin/initdb EACCES", "The account may not write there or run programs from there"],
  ["could not create shared memory segment: Cannot allocate memory", "Memory is short"],
  ["error while loading shared libraries: libstdc++.so.6", "The system lacks something the programs need"],
  ["something new", "If this happens again, set DATABASE_URL to a PostgreSQL of your own."],
])("a failure with %j names the remedy", (reason, remedy) => {
  const error = clusterFailure("The database in /data cannot be created", new Error(reason));
  expect(error).toBeInstanceOf(OperatorError);
  expect(error.message).toContain(`The database in /data cannot be created. ${remedy}`);
  expect(error.message).toContain(`\n${reason}`);
});

test("a failure shows the last lines of a long output", () => {
  const output = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
  expect(clusterFailure("It failed", output).message.split("\n").slice(1)).toEqual(
    [12, 13, 14, 15, 16, 17, 18, 19].map((index) => `line ${index}`),
  );
});
