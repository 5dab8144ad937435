import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Declaration, SourceFile } from "./declarations.ts";
import { scanGo } from "./go.ts";
import { scanJavascript } from "./javascript.ts";
import { scanPhp } from "./php.ts";
import { scanPython } from "./python.ts";
import { scanRuby } from "./ruby.ts";

/** The properties of a client library that its reference needs. */
export interface Library {
  label: string;
  /** The folder of the source, relative to clients/. */
  folder: string;
  /** The language of code blocks. */
  code: string;
  /** Whether a file of the folder is part of the public API. */
  isPublic(path: string): boolean;
  scan(files: readonly SourceFile[]): Declaration[];
  /** The name of the client class. */
  client: string;
  /** The class name of a resource. `name` is in Pascal case. */
  resourceClass(name: string): string;
  /** A call in the language's syntax: `$client->beats->getMany`. */
  call(resource: string | null, method: string): string;
  /** The language's name for a method. `name` is in snake case. */
  methodName(name: string): string;
  /** Whether a declaration is public. `publicNames` has the words of the file `list`. */
  isListed(declaration: Declaration, publicNames: ReadonlySet<string>): boolean;
  /** The file that lists the public names, relative to clients/; undefined if the source marks them. */
  list?: string;
  /** Classes with static functions, or packages with functions, such as those for webhooks. */
  functions: readonly string[];
  note: string;
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string): string => camel(`_${name}`);
/** Whether a declaration is an error class. PHP calls them exceptions. */
export const isError = ({ name }: Declaration): boolean => /(?:Error|Exception)$/.test(name);

export const libraries: Readonly<Record<string, Library>> = {
  javascript: {
    label: "JavaScript",
    folder: "javascript/src",
    code: "typescript",
    isPublic: (path) => path.endsWith(".ts") && !/^runtime\/|operations\.ts$/.test(path),
    scan: scanJavascript,
    client: "BeatMarket",
    resourceClass: (name) => name,
    call: (resource, method) => ["client", ...(resource === null ? [] : [resource]), method].join("."),
    methodName: camel,
    list: "javascript/src/index.ts",
    isListed: ({ file, name }, list) => /^(?:generated\/models|errors)\.ts$/.test(file) || list.has(name),
    functions: ["webhooks", "testing"],
    note: "A call returns a promise, which rejects with one of the [errors](#errors). Types are those of TypeScript.",
  },
  python: {
    label: "Python",
    folder: "python/src/beatmarket",
    code: "python",
    isPublic: (path) => path.endsWith(".py") && !/_async\//.test(path),
    scan: scanPython,
    client: "BeatMarket",
    resourceClass: (name) => name,
    call: (resource, method) => ["client", ...(resource === null ? [] : [resource]), method].join("."),
    methodName: (name) => name,
    list: "python/src/beatmarket/__init__.py",
    isListed: ({ file, name }, list) => /^_generated\/(?:models|enums|events)\.py$/.test(file) || list.has(name),
    functions: ["Webhooks"],
    note: "A call raises one of the [errors](#errors). `AsyncBeatMarket` has the same methods, which you await; its lists work with `async for`. The names of its classes begin with `Async`.",
  },
  php: {
    label: "PHP",
    folder: "php/src",
    code: "php",
    isPublic: (path) => path.endsWith(".php"),
    scan: scanPhp,
    client: "Client",
    resourceClass: (name) => name,
    call: (resource, method) => ["$client", ...(resource === null ? [] : [resource]), method].join("->"),
    methodName: camel,
    isListed: () => true,
    functions: ["Webhooks", "FakeTransport"],
    note: "Names are in `BeatMarket`, those of exceptions in `BeatMarket\\Exception`, of values in `BeatMarket\\Value` and of objects in `BeatMarket\\Model`. A call throws one of the [exceptions](#errors).",
  },
  ruby: {
    label: "Ruby",
    folder: "ruby/lib/beatmarket",
    code: "ruby",
    isPublic: (path) => path.endsWith(".rb") && !path.endsWith("operations.rb"),
    scan: scanRuby,
    client: "Client",
    resourceClass: (name) => name,
    call: (resource, method) => ["client", ...(resource === null ? [] : [resource]), method].join("."),
    methodName: (name) => name,
    list: "ruby/sig/beatmarket.rbs",
    isListed: ({ file, name }, list) => file.startsWith("generated/") || list.has(name),
    functions: ["Webhooks", "Testing"],
    note: "Names are in `BeatMarket`. A call raises one of the [errors](#errors). Signatures for type checkers are in the gem's `sig`.",
  },
  go: {
    label: "Go",
    folder: "go",
    code: "go",
    isPublic: (path) => /^(?:(?:webhooks|beatmarkettest)\/)?\w+\.go$/.test(path) && !path.endsWith("_test.go"),
    scan: scanGo,
    client: "Client",
    resourceClass: (name) => `${name}Service`,
    call: (resource, method) => ["client", ...(resource === null ? [] : [pascal(resource)]), method].join("."),
    methodName: pascal,
    isListed: () => true,
    functions: ["beatmarket", "webhooks", "beatmarkettest"],
    note: "A call returns one of the [errors](#errors), which `errors.As` finds. Options of a call are the functions that return a `CallOption`.",
  },
};

/** The declarations in the public files of a library, and those of them for which `isListed` is true. */
export async function declarationsOf({
  folder,
  isPublic,
  scan,
  list,
  isListed,
}: Library): Promise<{ declarations: Declaration[]; publicDeclarations: ReadonlySet<Declaration> }> {
  const clients = join(import.meta.dirname, "../../../clients");
  const root = join(clients, folder);
  const names = (await readdir(root, { recursive: true })).map((name) => name.replaceAll("\\", "/")).sort();
  // Hand-written parts follow the generated parts that they extend.
  const paths = names
    .filter(isPublic)
    .sort((path, otherPath) => Number(/generated/i.test(otherPath)) - Number(/generated/i.test(path)));
  const files = paths.map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") }));
  const publicNamesFile = list === undefined ? "" : await readFile(join(clients, list), "utf8");
  const words = new Set(publicNamesFile.match(/\w+/g));
  const declarations = scan(await Promise.all(files));
  return {
    declarations,
    publicDeclarations: new Set(declarations.filter((declaration) => isListed(declaration, words))),
  };
}
