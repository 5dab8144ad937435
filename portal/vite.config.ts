import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { cssVariablesResolver, theme } from "./src/shell/theme.ts";

export default defineConfig({
  root: import.meta.dirname,
  base: "/portal/",
  plugins: [react(), designTokens(), preloadedFont(), precompressed()],
  build: {
    target: "es2023",
    manifest: true,
    rolldownOptions: { input: ["index.html", "src/site/site.ts"].map((file) => join(import.meta.dirname, file)) },
    // The content security policy lets nothing inline run or load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet, with the first load: Vite does not load again one that failed.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
});

/** `virtual:design-tokens.css`: the theme's colours as the custom properties that Mantine makes of them, without Mantine. */
function designTokens(): Plugin {
  const file = "/design-tokens.css";
  return {
    name: "design-tokens",
    resolveId: (id) => (id === "virtual:design-tokens.css" ? file : undefined),
    load: (id) => (id === file ? tokensCss() : undefined),
  };
}

function tokensCss(): string {
  const { black = "", colors = {} } = theme;
  const { light, dark } = cssVariablesResolver({} as never);
  const declare = (variables: Record<string, string>): string =>
    Object.entries(variables)
      .map(([name, value]) => `${name}:${value}`)
      .join(";");
  const ramps = Object.entries(colors).flatMap(([name, shades = []]) =>
    shades.map((shade, index) => [`--mantine-color-${name}-${index}`, shade]),
  );
  const inLight = declare({ ...light, "--mantine-color-text": black });
  const inDark = declare({ ...dark, "--mantine-color-text": colors.dark?.[0] ?? "" });
  const chosenDark = ':root[data-mantine-color-scheme="dark"]';
  return `:root{${declare(Object.fromEntries(ramps))};${inLight}}
@media (prefers-color-scheme:dark){:root:not([data-mantine-color-scheme="light"]){${inDark}}}
${chosenDark}{${inDark}}`;
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

const minBytes = 1_000;

/** Puts a .br and a .gz beside each file that they make smaller; the server sends those as they are. */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    writeBundle: async ({ dir = "" }) => {
      const files = (await readdir(dir, { recursive: true })).filter((file) => /\.(js|css|svg|html)$/.test(file));
      await Promise.all(files.map((file) => compressBeside(join(dir, file))));
    },
  };
}

async function compressBeside(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < minBytes) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await writeFile(`${file}.br`, br);
  await writeFile(`${file}.gz`, gz);
}
