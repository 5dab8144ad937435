import { markdownPathOf } from "./contents.ts";
import type { DocsGroup } from "./read.ts";

/** The list of all documents for language models, in the format of https://llmstxt.org. */
export const llmsText = (groups: readonly DocsGroup[]): string =>
  `# Guides and API of this marketplace

> The API of a marketplace for music beats: beats, similar beats, search, orders with licenses, signed webhooks.

The OpenAPI 3.1 document of every call is at [/openapi.json](/openapi.json), and a reference to read at [/explorer](/explorer).
What changed in the API is at [/changelog](/changelog), also as [/changelog.json](/changelog.json), and as Markdown by \`Accept: text/markdown\`.

${groups
  .map(
    ({ title, pages }) =>
      `## ${title}\n\n${pages.map((page) => `- [${page.title}](/portal${markdownPathOf(page.name)}): ${page.summary}`).join("\n")}\n`,
  )
  .join("\n")}`;
