import { join, relative } from "node:path";
import type { Plugin } from "vite";
import { documents, markdownPathOf, pathOf, referencePages, sourceOf } from "./contents.ts";
import { imageMark } from "./convert.ts";
import { llmsText } from "./llms-text.ts";
import { contentsOf, docsFolder, readDocument, readDocuments, readMarkdown, repository } from "./read.ts";
import { docsIndex, searchIndex } from "./search-index.ts";

const contents = "virtual:docs-contents";
const index = "virtual:search-index";
const reference = "virtual:client-reference";

/**
 * Provides the documents as modules:
 * - `docs/*.md` and the READMEs of the client libraries as `{ title, titleId, html, headings }`
 * - `virtual:docs-contents`, the list of all documents
 * - `virtual:client-reference`, a loader for each page that is generated from the source of the client libraries
 * - `virtual:client-reference/<page>`, such a page, in the form of a document
 *
 * Emits the images, the Markdown files, their list `llms.txt`, and two files for the server: `.vite/docs.json`
 * lists the pages, `.vite/docs-search.json` is the search index.
 */
export function docs(): Plugin {
  return {
    name: "docs",
    resolveId: (id) => (id === contents || id.startsWith(reference) ? `\0${id}` : undefined),
    load: async (id) => {
      if (id === `\0${contents}`) return moduleOf(contentsOf(await readDocuments()));
      if (id === `\0${reference}`) return referenceModule;
      if (!id.startsWith(`\0${reference}/`)) return null;
      const { title, titleId, html, headings } = await readDocument(id.slice(reference.length + 2));
      return moduleOf({ title, titleId, html, headings });
    },
    transform: async (_, id) => {
      const source = relative(repository, id);
      const name = documents.find((each) => sourceOf(each) === source);
      if (name === undefined) return null;
      const { title, titleId, html, headings, images } = await readDocument(name);
      const imports = images.map((path, at) => `import image${at} from ${JSON.stringify(join(docsFolder, path))};`);
      const parts = images.reduce(
        (text, path, at) => text.replace(JSON.stringify(imageMark(path)).slice(1, -1), `" + image${at} + "`),
        JSON.stringify(html),
      );
      const exportedFields = JSON.stringify({ title, titleId, headings }).slice(1, -1);
      return { code: `${imports.join("\n")}\nexport default { ${exportedFields}, html: ${parts} };`, map: null };
    },
    async generateBundle() {
      const emit = (fileName: string, source: string) => void this.emitFile({ type: "asset", fileName, source });
      emit(".vite/docs.json", JSON.stringify(documents.map(pathOf)));
      emit(".vite/docs-search.json", JSON.stringify(docsIndex(await readDocuments())));
      for (const name of documents) emit(markdownPathOf(name).slice(1), await readMarkdown(name));
      emit("llms.txt", llmsText(contentsOf(await readDocuments())));
    },
  };
}

/** Provides `virtual:search-index`, which the search dialog loads. */
export const searchIndexModule = (): Plugin => ({
  name: "search-index",
  resolveId: (id) => (id === index ? `\0${index}` : undefined),
  load: async (id) => (id === `\0${index}` ? moduleOf(await searchIndex(await readDocuments())) : null),
});

/** A loader for each generated page, by name. A page is loaded when it is opened. */
const loaders = referencePages.map((name) => `${JSON.stringify(name)}: () => import("${reference}/${name}")`);
const referenceModule = `export default { ${loaders.join(", ")} };`;

/** A module that parses JSON, because browsers parse JSON faster than an equal object literal. */
const moduleOf = (value: object): string => `export default JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
