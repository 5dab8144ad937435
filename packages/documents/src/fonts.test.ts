import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { fonts } from "./fonts.ts";

const folder = join(import.meta.dirname, "../fonts");
const listed = JSON.parse(await readFile(join(folder, "fonts.json"), "utf8")) as { file: string; sha256: string }[];

test("the folder `fonts` has exactly the fonts of the documents, with the hashes in fonts.json", async () => {
  const files = listed.map(({ file }) => file).sort();
  expect(fonts.map(({ file }) => basename(file)).sort()).toEqual(files);
  expect((await readdir(folder)).sort()).toEqual([...files, "LICENSE", "fonts.json"].sort());
  for (const { file, sha256 } of listed)
    expect(
      createHash("sha256")
        .update(await readFile(join(folder, file)))
        .digest("hex"),
      file,
    ).toBe(sha256);
});
