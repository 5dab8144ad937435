import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mcpRoute } from "@beatmarket/agent-tools/mcp-route.ts";
import type { Tool } from "@beatmarket/agent-tools/tool.ts";
import { openDocsIndex } from "@beatmarket/docs-search/docs-index.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { notBuilt } from "../portal/web-app.ts";
import { findBeats, getBeat, similarBeats } from "./tools/beats.ts";
import { buy, checkLicense, Quotes, quote } from "./tools/buy.ts";
import { docs } from "./tools/docs.ts";

export interface McpParts {
  publicUrl: string;
  currency: string;
  /** The version of the service. */
  version: string;
  /** The folder with the portal's build, which includes the search index of the docs. */
  folder: string;
  /**
   * The current secret signs quotes, and the state of a confirmation that the client sends back. Quotes that a previous
   * secret signed stay valid.
   */
  secrets: () => readonly [current: string, ...previous: string[]];
}

/** POST /mcp is the Model Context Protocol for agents with an API key (docs/agents.md). */
export const agentRoute = (parts: McpParts): Route =>
  mcpRoute({
    path: "/mcp",
    publicUrl: parts.publicUrl,
    description: {
      name: "beatmarket",
      title: "Beats",
      version: parts.version,
      instructions:
        "This marketplace sells licenses of music beats. Find beats, show them, quote a license, and buy it after the person agrees. Prices come from quote, never from memory.",
      confirmation: { title: "Buy it", description: "The payment method is charged." },
    },
    tools: () => toolsOf(parts),
    secret: () => parts.secrets()[0],
  });

/** The tools. There are only seven, because each takes space in the context of every conversation. */
const toolsOf = ({ publicUrl, currency, secrets, folder }: McpParts): Tool[] => {
  const quotes = new Quotes(secrets);
  const readIndex = onFirstUse(async () => openDocsIndex(await readBuiltIndex(folder)));
  return [
    findBeats(currency),
    getBeat(publicUrl, currency),
    similarBeats,
    quote(quotes, currency),
    buy(quotes),
    checkLicense,
    docs(publicUrl, readIndex),
  ];
};

async function readBuiltIndex(folder: string): Promise<object> {
  try {
    return JSON.parse(await readFile(join(folder, ".vite/docs-search.json"), "utf8")) as object;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw notBuilt();
    throw error;
  }
}
