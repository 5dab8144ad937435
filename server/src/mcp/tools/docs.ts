import { fitted, type Tool } from "@beatmarket/agent-tools/tool.ts";
import type { DocsIndex } from "@beatmarket/docs-search/docs-index.ts";
import { excerptOf } from "@beatmarket/docs-search/excerpt.ts";
import { searchParts } from "@beatmarket/docs-search/search-parts.ts";
import Type from "typebox";

const partsShown = 3;
const maxTextLength = 400;

/** The tool that searches the documentation. `readIndex` reads the search index in the portal's build. */
export const docs = (publicUrl: string, readIndex: () => Promise<DocsIndex>): Tool => ({
  name: "docs",
  description: "Search the documentation of the API and the marketplace. Ask in plain words.",
  isReadOnly: true,
  input: Type.Object({ question: Type.String({ minLength: 1, maxLength: 300 }) }),
  call: async ({ question }) => {
    const parts = searchParts(await readIndex(), String(question), partsShown).map((part) => ({
      title: part.heading === part.title ? part.title : `${part.title}: ${part.heading}`,
      page: `${publicUrl}${part.address}`,
      text: excerptOf(part.text, part.terms, maxTextLength),
    }));
    return fitted("parts", parts, {
      markdown: "Add .md to a page's path for all of it, such as /portal/docs/webhooks.md.",
    });
  },
});
