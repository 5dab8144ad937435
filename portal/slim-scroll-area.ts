import type { Plugin } from "vite";

const mergeRefs = "\0merge-refs";

/**
 * Mantine's scroll area, which each table carries, takes from Floating UI the hook that merges refs. All of Floating UI that
 * any page uses would come with it, 17 kB: here it takes Mantine's own hook.
 */
export function slimScrollArea(): Plugin {
  return {
    name: "slim-scroll-area",
    enforce: "pre",
    resolveId: (source, importer) =>
      source === "@floating-ui/react" && importer?.endsWith("/ScrollArea.mjs") === true ? mergeRefs : undefined,
    load: (id) =>
      id === mergeRefs
        ? 'import { useMergedRef } from "@mantine/hooks"; export const useMergeRefs = (refs) => useMergedRef(...refs);'
        : undefined,
  };
}
