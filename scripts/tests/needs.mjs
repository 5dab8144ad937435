import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The folders of tests in vitest.config.ts. */
const folders = [
  "packages",
  "server",
  "bench",
  "portal",
  "scripts",
  "contract",
  "clients/conformance",
  "clients/generator",
  "clients/packages",
  "clients/cli",
];
const imported = /(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g;
const packageModule = /^@beatmarket\/([a-z-]+)\/(.+)$/;

/** Matches the paths of code that starts a server with the portal's pages, in this process or another. */
const servesPages =
  /^(portal|clients|scripts)\/|^server\/test\/(harness\/(api|portal)\.ts|journeys\/|faults\/|processes\/)/;

/**
 * Finds which programs a run of the test files that match these patterns needs, and whether it needs the portal's
 * pages. A program is needed if a test file, or a test module that the file imports, names the program.
 * @param {string} root
 * @param {string[]} patterns as `vitest run` takes them
 * @param {import("./requirements.mjs").Requirement[]} requirements
 */
export function needsOf(root, patterns, requirements) {
  const tests = folders
    .flatMap((folder) => filesIn(root, folder))
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => patterns.some((pattern) => file.toLowerCase().includes(pattern.toLowerCase())));
  const texts = readWithImports(root, tests);
  const ofTests = [...texts].filter(([file]) => !/^(server|portal|packages\/[^/]+)\/src\/(?!.*\.test\.ts$)/.test(file));
  return {
    requirements: requirements.filter(({ usedBy }) => ofTests.some(([, text]) => usedBy.test(text))),
    portal: [...texts.keys()].some((file) => servesPages.test(file)),
  };
}

/** @returns {string[]} */
const filesIn = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [`${folder}/${entry.name}`];
    return entry.name === "node_modules" ? [] : filesIn(root, `${folder}/${entry.name}`);
  });

/** The texts of these files and of all their imports, by path. */
function readWithImports(root, files) {
  const texts = new Map();
  const queue = [...files];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (texts.has(file)) continue;
    const text = readFileSync(join(root, file), "utf8");
    texts.set(file, text);
    for (const [, specifier] of text.matchAll(imported)) {
      const target = resolve(file, specifier);
      if (target !== undefined && statSync(join(root, target), { throwIfNoEntry: false })?.isFile()) queue.push(target);
    }
  }
  return texts;
}

function resolve(file, specifier) {
  if (specifier.startsWith(".")) return normalize(join(dirname(file), specifier));
  const [, name, path] = packageModule.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  return path.startsWith("testing/") ? `packages/${name}/${path}` : `packages/${name}/src/${path}`;
}
