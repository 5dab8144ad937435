import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/**
 * Inlines color-scheme.js into the page, because the first paint would wait for the request of a separate file. The
 * build also writes `.vite/inline-scripts.json`: the hashes of inline scripts, as a content security policy names them.
 */
export function colorScheme(): Plugin {
  const script = readFileSync(join(import.meta.dirname, "color-scheme.js"), "utf8");
  const hash = createHash("sha256").update(script).digest("base64");
  return {
    name: "color-scheme",
    transformIndexHtml: { order: "post", handler: () => [{ tag: "script", children: script, injectTo: "head" }] },
    generateBundle() {
      const source = JSON.stringify([`'sha256-${hash}'`]);
      this.emitFile({ type: "asset", fileName: ".vite/inline-scripts.json", source });
    },
  };
}
