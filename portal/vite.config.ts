import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { colorScheme } from "./color-scheme/plugin.ts";
import { docs, searchIndexModule } from "./docs/plugin.ts";
import { areaTexts, textsInDevelopment } from "./languages.ts";
import { nativeScroll } from "./native-scroll.ts";
import { pageFiles } from "./pages.ts";
import { precompressed } from "./precompressed.ts";

/**
 * Whether a module may share a chunk with others. Guides, the search index and the client library have chunks of their
 * own.
 */
const isShared = (id: string): boolean => !/\/docs\/|docs-contents|search-index|\/clients\/javascript\//.test(id);
/**
 * The modules that show a call as code. A page loads them when it shows a call, on some pages after a click. The limit
 * gauge is next to the code on most of these pages, so the same chunk has it and saves a request.
 */
const callCode = /\/calls\/call-code|\/code\/code\.tsx|\/contract\/snippets\/|\/limit-gauge\.tsx/;
/** Figures, and the numbers of a chart. The home page shows both, so one chunk has both and saves a request. */
const numbers = /\/figures\.tsx|\/charts\/(chart-numbers|chart-details|legend|outcomes)\./;
/** Charts over time, which the request log and the analytics page show. */
const timeCharts = /\/charts\/(scale|use-brush|time-chart|bar-chart)\./;
/** The modules of the studio's pages, except the form of a beat, which the list of beats does not need. */
const studio = /\/pages\/studio\/(?!beat\/)/;
const beatForm = /\/pages\/studio\/beat\//;
/** Modules that only pages of one kind share, and components of few pages. Other pages must not wait for them. */
const ofFewPages =
  /\/(Radio|Pagination|PasswordInput|Tabs|Breadcrumbs|Avatar)\/|\/pager\.tsx|(signed-out-page|api-changes)\.tsx|\/pages\/(?!account\/|webhooks\/use-)|\/display\/(charts|keys|crop|public-face)\/|\/api\/(catalogue|client-library|passkeys|upload-picture)\.ts/;
/** Whether a module may be in the chunk that pages of all kinds load. */
const isCommon = (id: string): boolean =>
  isShared(id) && !callCode.test(id) && !numbers.test(id) && !ofFewPages.test(id);

export default defineConfig({
  root: import.meta.dirname,
  base: "/portal/",
  // The client library is compiled from its sources, because npm start does not build its package. The functions that
  // need Node are in another entry of the library.
  resolve: {
    alias: {
      beatmarket: join(import.meta.dirname, "../clients/javascript/src/index.ts"),
      // The icons that the portal imports. `npm run icons` copies them from the package.
      "@tabler/icons-react": join(import.meta.dirname, "icons/icons.mjs"),
    },
  },
  plugins: [
    react(),
    docs(),
    searchIndexModule(),
    nativeScroll(),
    preloadedFont(),
    fontLicense(),
    colorScheme(),
    styleBehindOpening(),
    areaTexts(),
    textsInDevelopment(),
    pageFiles(),
    precompressed(),
  ],
  build: {
    target: "es2023",
    // Browsers with light-dark(). Its replacement for older browsers ignores a colour scheme that a variable sets.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: true,
    // The content security policy forbids inline assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each chunk is a request before the first paint, and each module that a page does not need delays it. So
          // the first load is one chunk, and modules that pages of all kinds share are another. Modules that pages of
          // one kind share are in chunks by the pages that share them.
          groups: [
            { name: "app", tags: ["$initial"], priority: 3 },
            { name: "common", test: isCommon, minShareCount: 2, priority: 2 },
            { name: "radio", test: /\/Radio\//, priority: 2 },
            { name: "studio", test: studio, minShareCount: 2, priority: 2 },
            { name: "beat-form", test: beatForm, minShareCount: 2, priority: 2 },
            { name: "call-code", test: callCode, priority: 2 },
            { name: "numbers", test: numbers, priority: 2 },
            { name: "time-charts", test: timeCharts, priority: 2 },
            {
              name: "shared",
              test: isShared,
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 20_000,
              priority: 1,
            },
          ],
        },
      },
    },
    // One style sheet, in the first load, because Vite does not retry a style sheet that failed to load.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
});

/**
 * Writes the license of Geist and Geist Mono, one text, next to the fonts. The SIL Open Font License requires it with
 * every copy.
 */
function fontLicense(): Plugin {
  return {
    name: "font-license",
    apply: "build",
    async generateBundle() {
      const source = await readFile(
        createRequire(import.meta.url).resolve("@fontsource-variable/geist/LICENSE"),
        "utf8",
      );
      this.emitFile({ type: "asset", fileName: "assets/geist-LICENSE.txt", source });
    },
  };
}

/**
 * Moves the style sheet into the body, after the header of the first paint. A browser paints what is before the style
 * sheet at once, and runs modules after the style sheet is loaded.
 */
function styleBehindOpening(): Plugin {
  return {
    name: "style-behind-opening",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html) => {
        const [link = ""] = /^ *<link rel="stylesheet".*\n/m.exec(html) ?? [];
        const moved = html.replace(link, "").replace(/^ *<\/header>\n/m, (end) => end + link);
        if (link === "" || moved.indexOf(link) < moved.indexOf("<body>"))
          throw new Error("The style sheet is in the head.");
        return moved;
      },
    },
  };
}

/** Preloads the font of texts, so that it need not wait for the style sheet that names it. */
function preloadedFont(): Plugin {
  return {
    name: "preloaded-font",
    apply: "build",
    transformIndexHtml: (_, { bundle = {} }) => {
      const file = Object.keys(bundle).find((name) => /geist-latin-wght-normal.*\.woff2$/.test(name));
      if (file === undefined) throw new Error("The build has no file of the font that it preloads.");
      const attrs = { rel: "preload", as: "font", type: "font/woff2", href: `/portal/${file}`, crossorigin: true };
      return [{ tag: "link", attrs, injectTo: "head-prepend" }];
    },
  };
}
