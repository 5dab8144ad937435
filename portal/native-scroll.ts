import type { Plugin } from "vite";

const emptyModuleId = "\0no-scroll-area";

/**
 * Mantine's tables and dialogs each know of its scroll area, 7 kB of scripts, whether or not they have one. Here the browser
 * scrolls them, by the theme and by default, so the area is left out of the build.
 */
export function nativeScroll(): Plugin {
  return {
    name: "native-scroll",
    enforce: "pre",
    resolveId: (source, importer = "") =>
      source.endsWith("/ScrollArea.mjs") && /\/(TableScrollContainer|ModalRoot|DrawerRoot)\.mjs$/.test(importer)
        ? emptyModuleId
        : undefined,
    load: (id) =>
      id === emptyModuleId
        ? `export const ScrollArea = () => { throw new Error("The build has no scroll area: native-scroll.ts."); };
           ScrollArea.Autosize = ScrollArea;`
        : undefined,
  };
}
