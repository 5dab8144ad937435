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

/** Whether a module may come with others of its group. The pages of the docs need few, and each guide is one of its own. */
const isShared = (id: string): boolean => !/\/docs\/|docs-contents|search-index|\/clients\/javascript\//.test(id);
/**
 * A call as code: only pages that show one need it, and those that show it on a click load it then. Limits stand next
 * to it on most of these, and would be a request more.
 */
const callCode = /\/calls\/call-code|\/code\/code\.tsx|\/contract\/snippets\/|\/limit-gauge\.tsx/;
/** Numbers as figures, and those of a chart: next to each other on the home page, and not worth a request each. */
const numbers = /\/figures\.tsx|\/charts\/(chart-numbers|chart-details|legend|outcomes)\./;
/** Charts over time: of the log and of analytics. */
const timeCharts = /\/charts\/(scale|use-brush|time-chart|bar-chart)\./;
/** What the studio's pages share but for the form of a beat, which its list does not need. */
const studio = /\/pages\/studio\/(?!beat\/)/;
const beatForm = /\/pages\/studio\/beat\//;
/** What pages of one kind alone share, and parts that few pages have: other pages do not wait for it. */
const ofFewPages =
  /\/(Radio|Pagination|PasswordInput|Tabs|Breadcrumbs|Avatar)\/|\/pager\.tsx|(signed-out-page|api-changes)\.tsx|\/pages\/(?!account\/|webhooks\/use-)|\/display\/(charts|keys|crop|public-face)\/|\/api\/(catalogue|client-library|passkeys|upload-picture)\.ts/;
/** Whether a module may come with any page. */
const isCommon = (id: string): boolean =>
  isShared(id) && !callCode.test(id) && !numbers.test(id) && !ofFewPages.test(id);

export default defineConfig({
  root: import.meta.dirname,
  base: "/portal/",
  // From its sources: npm start does not build the package. What only Node has is in another entry.
  resolve: {
    alias: {
      beatmarket: join(import.meta.dirname, "../clients/javascript/src/index.ts"),
      // The icons in use, which npm run icons takes out of that package.
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
    // Those with light-dark(): what takes its place for older ones does not see a colour scheme that is set by a variable.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: true,
    // The content security policy lets nothing inline run or load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each file is a request before the first paint, and each module that a page does not need delays it. So: the first
          // load in one file, what pages of any kind share in another, and what pages of one kind share in some, by who shares it.
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
    // One style sheet, with the first load: Vite does not load again one that failed.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
});

/**
 * Puts the license of Geist and Geist Mono, one text, next to them: the SIL Open Font License asks for it with every
 * copy.
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
 * Puts the style sheet behind the header of the first paint: a browser paints what stands before a style sheet of the body, and
 * runs no module before it has come.
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

/** Begins to load the font of every text before the styles that name it have come. */
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
