import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { precompressed } from "./precompressed.ts";

export default defineConfig({
  root: import.meta.dirname,
  base: "/portal/",
  plugins: [react(), preloadedFont(), precompressed()],
  build: {
    target: "es2023",
    manifest: true,
    // The content security policy lets nothing inline run or load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet, with the first load: Vite does not load again one that failed.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
});

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
