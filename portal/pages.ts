import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

/** A page of the route table: its path, and the module of its component. */
export interface PageRoute {
  path: string;
  module: string;
}

/** The pages of src/routes.tsx: a route's path, and the first page that it imports after it. */
export function pageRoutes(): PageRoute[] {
  const table = readFileSync(join(import.meta.dirname, "src/routes.tsx"), "utf8");
  const routes = table.matchAll(
    /^ {2}path: "([^"]+)",$(?:(?!createRoute)[\s\S])*?import\("\.\/(pages\/[^"]+-page\.tsx)"\)/gm,
  );
  return [...routes].map(([, path = "", module = ""]) => ({ path, module: join(import.meta.dirname, "src", module) }));
}

/**
 * Writes for each page of the route table its HTML, `pages/<path>.html`: index.html, which preloads the page's own chunks,
 * too. The browser asks for them with the entry, not after it has run.
 */
export function pageFiles(): Plugin {
  return {
    name: "page-files",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("The build has no index.html.");
        const html = String(index.source);
        const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
        for (const { path, module } of pageRoutes()) {
          const page = chunks.find(({ moduleIds }) => moduleIds.includes(module));
          if (page === undefined) throw new Error(`The build has no chunk of ${module}.`);
          const links = [...withImports(page, bundle)]
            .filter((file) => !html.includes(`/portal/${file}"`))
            .map((file) => `    <link rel="modulepreload" crossorigin href="/portal/${file}">\n`);
          const source = html.replace("  </head>", () => `${links.join("")}  </head>`);
          this.emitFile({ type: "asset", fileName: `pages${path === "/" ? "/index" : path}.html`, source });
        }
      },
    },
  };
}

/** The files of a chunk and of all that it imports statically. */
function withImports(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  files = new Set<string>(),
): Set<string> {
  if (files.has(chunk.fileName)) return files;
  files.add(chunk.fileName);
  for (const file of chunk.imports) {
    const chunk = bundle[file];
    if (chunk?.type === "chunk") withImports(chunk, bundle, files);
  }
  return files;
}
