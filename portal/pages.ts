import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import type { PortalArea } from "../contract/texts/en/portal/index.ts";
import { languageCodes } from "../contract/texts/languages.ts";
import { inLanguage, isArea } from "./languages.ts";

/**
 * A page of the route table: its path, the module of its component, and the area of its texts. The area is null for a
 * page in English.
 */
export interface PageRoute {
  path: string;
  module: string;
  area: PortalArea | null;
}

/** The pages of src/routes.tsx. Throws for a route whose path or page is not a literal. */
export const pageRoutes = (): PageRoute[] =>
  readPages(readFileSync(join(import.meta.dirname, "src/routes.tsx"), "utf8")).map(({ path, module, area }) => ({
    path,
    area,
    module: join(import.meta.dirname, "src", module),
  }));

/** The pages of a route table. `module` is relative to the table's file. */
export const readPages = (table: string): PageRoute[] =>
  table
    .split(/\bcreateRoute\(/)
    .slice(1)
    .flatMap((route) => {
      const pathSource = /^ {2}path(?:: *(.+?))?,$/m.exec(route);
      if (pathSource === null) return [];
      const path = /^"([^"]+)"$/.exec(pathSource[1] ?? "")?.[1];
      const [, module, area = ""] =
        /\blazyPage\(\s*\(\) => import\("\.\/(pages\/[^"]+-page\.tsx)"\),\s*"\w+"(?:,\s*"(\w+)")?/.exec(route) ?? [];
      if (path === undefined || module === undefined)
        throw new Error(
          `src/routes.tsx: the route with path ${pathSource[1] ?? "path"} has no HTML of its own. Write both as literals: ` +
            'path: "/…", and component: lazyPage(() => import("./pages/…-page.tsx"), "…Page").',
        );
      return [{ path, module, area: isArea(area) ? area : null }];
    });

/**
 * Writes the HTML of each page of the route table in each language, `pages/<language>/<path>.html`. Each is
 * index.html with preloads of the page's own chunks, so that the browser requests them together with the entry.
 * `missing.html` is for an unknown path.
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
        const emit = (name: string, source: string, area: PortalArea | null) => {
          for (const language of languageCodes)
            this.emitFile({
              type: "asset",
              fileName: `pages/${language}/${name}.html`,
              source: inLanguage(source, language, area),
            });
        };
        emit("missing", html, null);
        const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
        for (const { path, module, area } of pageRoutes()) {
          const page = chunks.find(({ moduleIds }) => moduleIds.includes(module));
          if (page === undefined) throw new Error(`The build has no chunk of ${module}.`);
          const links = [...withImports(page, bundle)]
            .filter((file) => !html.includes(`/portal/${file}"`))
            .map((file) => `    <link rel="modulepreload" crossorigin href="/portal/${file}">\n`);
          const source = html.replace("  </head>", () => `${links.join("")}  </head>`);
          emit(path === "/" ? "index" : path.slice(1), source, area);
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
