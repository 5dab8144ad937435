import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { searchIndexModule } from "./docs/plugin.ts";
import { precompressed } from "./precompressed.ts";
import { cssVariablesResolver, theme } from "./src/shell/theme.ts";

// The styles and scripts of the public pages and of the reference. They are a separate build into the portal's folder,
// so that neither build has the other's styles.
export default defineConfig({
  root: import.meta.dirname,
  base: "/portal/",
  publicDir: false,
  plugins: [react(), searchIndexModule(), designTokens(), precompressed()],
  build: {
    target: "es2023",
    manifest: ".vite/site.json",
    emptyOutDir: false,
    rolldownOptions: { input: ["site", "reference"].map((name) => join(import.meta.dirname, `src/site/${name}.ts`)) },
    // The content security policy forbids inline assets.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
});

/**
 * `virtual:design-tokens.css`: the theme's colours as custom properties with Mantine's names, without Mantine. Every
 * page loads it, so it has only the properties that a style sheet, a script or another property uses.
 */
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
  const sources = globSync(join(import.meta.dirname, "src/site/**/*.{css,ts,tsx}")).map((file) =>
    readFileSync(file, "utf8"),
  );
  const uses = [...sources, ...Object.values(light), ...Object.values(dark)].join("\n");
  const usedNames = new Set(uses.match(/--[\w-]+/g));
  const declare = (variables: Record<string, string>): string =>
    Object.entries(variables)
      .filter(([name]) => usedNames.has(name))
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
