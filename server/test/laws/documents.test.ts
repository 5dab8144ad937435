import { access, readdir } from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorOf, repositoryPaths, sectionsOf, writtenFiles } from "../harness/documents/documents.ts";
import type { SourceFile } from "../harness/documents/source-files.ts";

const root = join(import.meta.dirname, "../../..");
const files = await writtenFiles(root);
const paths = await repositoryPaths(root);
const documents = new Map(files.filter(({ path }) => path.endsWith(".md")).map((file) => [file.path, file]));
const exists = (path: string): Promise<boolean> =>
  access(join(root, path)).then(
    () => true,
    () => false,
  );

describe("a citation in a text or comment", () => {
  /**
   * The text of migrations is fixed: a database that applied another text refuses to start. These tests contain the
   * refused texts.
   */
  const exempt = /^database\/migrations\/|^server\/test\/laws\/(documents|words)\.test\.ts$/;

  /** "docs/api/orders.md, Order states" in a comment or text. A line break may split the citation. */
  function faults({ path, text }: SourceFile): string[] {
    const flowing = text.replace(/\n\s*(?:\*(?!\/)|\/\/|#|--)?[ \t]*/g, " ");
    const cited = [
      ...flowing.matchAll(
        /((?:docs\/[\w./-]+|portal\/DESIGN|\b(?:ARCHITECTURE|CONTRIBUTING|SECURITY))\.md)(?:, ([A-Z][^"]{0,60}))?/g,
      ),
    ];
    const missing = cited.flatMap(([, document = "", heading]) => {
      // Links are relative to their document. A test below checks them.
      const target = documents.get(document);
      if (target === undefined) return path.endsWith(".md") ? [] : [`${path}: ${document} does not exist`];
      const isKnown =
        heading === undefined || sectionsOf(target.text).some((section) => heading.startsWith(section.heading));
      return isKnown ? [] : [`${path}: ${document} has no heading "${heading}"`];
    });
    const outside = flowing.match(/(?<!portal\/)\bDESIGN(\.md| section|, )|\b[Cc]ontract \d+(\.\d+)?\b/);
    return outside === null
      ? missing
      : [...missing, `${path}: "${outside[0]}" is not in this repository; cite docs/api`];
  }

  test("names an existing document, and one of the document's headings", () => {
    const looked = files.filter(({ path }) => !exempt.test(path));
    expect(looked.flatMap(faults)).toEqual([]);
  });

  test.each([
    ["of a document that is not there", "// See docs/api/nothing.md.", 1],
    ["of a heading that is not there", "// See docs/api/orders.md, Nonsense.", 1],
    ["of a heading over two lines", "/**\n * docs/api/orders.md, Order\n * states.\n */", 0],
    ["of a document outside the repository", "// DESIGN section 2, money", 1],
    ["of the portal's design", "// portal/DESIGN.md, Colour", 0],
    ["of a heading that the portal's design lacks", "// portal/DESIGN.md, Nonsense", 1],
    ["of a section outside the repository", "/** Contract 4.1. */", 1],
    ["of the contract as such", "// The contract has six codes.", 0],
  ])("%s: %j has %i faults", (_, text, count) => {
    expect(faults({ path: "server/src/planted.ts", text })).toHaveLength(count);
  });
});

describe("a link in a document", () => {
  async function faults({ path, text }: SourceFile): Promise<string[]> {
    const prose = text.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
    const links = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = ""]) => link);
    const problems = await Promise.all(
      links
        .filter((link) => !/^[a-z]+:/.test(link))
        .map(async (link) => {
          const [file = "", anchor] = link.split("#");
          const target = file === "" ? path : normalize(join(dirname(path), file));
          if (!(await exists(target))) return [`${path}: ${link} leads nowhere`];
          const document = documents.get(target);
          if (anchor === undefined || document === undefined) return [];
          const isThere = sectionsOf(document.text).some(({ heading }) => anchorOf(heading) === anchor);
          return isThere ? [] : [`${path}: ${link} names a heading that is not there`];
        }),
    );
    return problems.flat();
  }

  test("leads to an existing file, and to one of the file's headings", async () => {
    const problems = await Promise.all([...documents.values()].map(faults));
    expect(problems.flat()).toEqual([]);
  });

  test.each([
    ["to a missing file", "[a](nothing.md)", 1],
    ["to a missing heading", "[a](docs/api/orders.md#nonsense)", 1],
    ["to a heading", "[a](docs/api/orders.md#order-states)", 0],
    ["in code", "`[a](nothing.md)`", 0],
  ])("%s: %j has %i faults", async (_, text, count) => {
    expect(await faults({ path: "PLANTED.md", text })).toHaveLength(count);
  });
});

describe("a path in a page about the source", () => {
  const pages = /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/decisions\/|^packages\/[^/]+\/README\.md$/;
  const sources = new Set(paths);
  const folders = new Set([...sources].flatMap((path) => ancestorsOf(path)));
  const names = new Set([...sources].map((path) => basename(path)));
  const topFolders = new Set([...folders].map((path) => path.split("/")[0]));
  /** A path that `npm start` creates, or a name that the reader chooses. */
  const exempt = /^portal\/dist$|NNNN/;

  function ancestorsOf(path: string): string[] {
    const folder = dirname(path);
    return folder === "." ? [] : [folder, ...ancestorsOf(folder)];
  }

  /**
   * Matches text in backticks that is a path with a slash, except paths of the data folder or of a URL, or a source
   * file's name.
   */
  const isPath = (span: string): boolean =>
    span.includes("/") && (/\/$|\.(tsx?|mjs|js|json|sql|md|yml|sh)$/.test(span) || topFolders.has(span.split("/")[0]));
  const isSourceName = (span: string): boolean => /^[^/]+\.(tsx?|mjs|sql)$/.test(span);

  /**
   * A path begins at the root, at `server/src`, at `server/src/resources`, at the package of the page, or at a folder
   * that the same paragraph or table row names. A file's name alone means any file of that name.
   */
  function faults({ path: page, text }: SourceFile): string[] {
    const prose = text.replace(/^```.*?^```/gms, "");
    return prose.split(/\n\n+|\n(?=\|)/).flatMap((paragraph) => {
      const spans = [...paragraph.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(([, span = ""]) => span);
      const bases = ["", "server/src", "server/src/resources", dirname(page), `${dirname(page)}/src`];
      const resolved = (span: string) => bases.map((base) => normalize(join(base, span)).replace(/\/$/, ""));
      for (const folder of spans.flatMap((span) => resolved(span).filter((path) => folders.has(path))))
        bases.push(folder, `${folder}/src`);
      const isThere = (span: string) => resolved(span).some((path) => sources.has(path) || folders.has(path));
      return spans
        .filter((span) => !exempt.test(span))
        .filter((span) => (isPath(span) && !isThere(span)) || (isSourceName(span) && !names.has(span)))
        .map((span) => `${page}: ${span} does not exist`);
    });
  }

  test("leads to an existing file or folder", () => {
    const looked = [...documents.values()].filter(({ path }) => pages.test(path));
    expect(looked.length).toBeGreaterThan(30);
    expect(looked.flatMap(faults)).toEqual([]);
  });

  test.each([
    ["of a file that is not there", "`packages/http/src/nothing.ts`", 1],
    ["of a folder that is not there", "`server/src/nothing/`", 1],
    ["of a file from server/src", "`access/admission.ts`", 0],
    ["of a file from the resources", "`orders/settle.ts`", 0],
    ["of a file from a folder of the same paragraph", "`packages/http` begins with `pipeline/pipeline.ts`", 0],
    ["of a file from a folder of another paragraph", "`packages/http`\n\n`pipeline/pipeline.ts`", 1],
    ["of a name that no file has", "`nothing.ts`", 1],
    ["of a name that a file has", "`settle.ts`", 0],
    ["in the data folder", "`DATA_DIR/exports`", 0],
  ])("%s: %j has %i faults", (_, text, count) => {
    expect(faults({ path: "PLANTED.md", text })).toHaveLength(count);
  });
});

describe("a command in a document", () => {
  const scripts = Object.keys(JSON.parse(files.find(({ path }) => path === "package.json")?.text ?? "").scripts);

  /** Scripts that are not in package.json, and filters of `npm test` that match no file. */
  function faults({ path, text }: SourceFile): string[] {
    const run = [...text.matchAll(/\bnpm run ([a-z]\w*)/g)].map(([, script = ""]) => script);
    const filters = [...text.matchAll(/\bnpm test -- ([\w./-]+)/g)].map(([, filter = ""]) => filter);
    return [
      ...run.filter((script) => !scripts.includes(script)).map((script) => `${path}: npm run ${script}`),
      ...filters
        .filter((filter) => !files.some((file) => /\.test\.tsx?$/.test(file.path) && file.path.includes(filter)))
        .map((filter) => `${path}: npm test -- ${filter}`),
    ];
  }

  test("is an existing script, with existing test files", () => {
    const ownDocuments = [...documents.values()].filter(({ path }) => !path.startsWith("clients/"));
    expect(ownDocuments.flatMap(faults)).toEqual([]);
  });

  test("is detected if it does not exist", () => {
    expect(
      faults({ path: "a.md", text: "`npm run nothing`, `npm test -- abuse/nothing`, `npm run bench`" }),
    ).toHaveLength(2);
  });
});

describe("a page of decisions", () => {
  const pages = [...documents.values()].filter(({ path }) => /^docs\/decisions\/(?!README)/.test(path));
  const index = documents.get("docs/decisions/README.md")?.text ?? "";
  const maxLines = 80;

  /** Checks the form that docs/decisions/README.md describes. */
  function faults({ path, text }: SourceFile): string[] {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const [title, ...sections] = sectionsOf(text);
    const headings = sections.map(({ heading }) => heading).join();
    const lines = text.trimEnd().split("\n").length;
    return [
      ...(/^[a-z0-9-]*[a-z][a-z0-9-]*\.md$/.test(name) && !/\d{4}-/.test(name)
        ? []
        : ["its name does not name an area"]),
      ...(title?.level === 1 ? [] : ["it has no title"]),
      ...(/\b\d{4}-\d{2}-\d{2}\b/.test(text) ? ["it has a date"] : []),
      ...(lines <= maxLines ? [] : [`it has ${lines} lines, more than ${maxLines}`]),
      ...(headings === "The question,What is done,What else was considered,What it costs"
        ? []
        : ["its headings are not question, what is done, what else was considered, and costs"]),
      ...(index.includes(`| [${title?.heading}](${name}) |`) ? [] : ["it is not in the index under its title"]),
    ].map((fault) => `${path}: ${fault}`);
  }

  test("has the required form, and the index lists it", () => {
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.flatMap(faults)).toEqual([]);
    const rows = [...index.matchAll(/^\| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, file = ""]) => file);
    expect(rows).toHaveLength(pages.length);
  });

  test("is detected if it has another form", () => {
    const text = `## Planted\n\nDecided on 2026-01-01.\n${"\n".repeat(maxLines)}Because.\n`;
    expect(faults({ path: "docs/decisions/2026-01-01-planted.md", text })).toHaveLength(6);
  });
});

test("every picture of docs/images is used in a document", async () => {
  const allText = [...documents.values()].map(({ text }) => text).join("\n");
  const pictures = (await readdir(join(root, "docs/images"), { recursive: true })).filter((path) => path.includes("."));
  expect(pictures.length).toBeGreaterThan(100);
  expect(pictures.filter((picture) => !allText.includes(`images/${picture})`))).toEqual([]);
});
