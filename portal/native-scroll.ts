import type { Plugin } from "vite";

const emptyModuleId = "\0no-scroll-area";

/**
 * Mantine's tables and dialogs import its ScrollArea, 7 kB of scripts, even if they do not render it. The portal's
 * tables and dialogs scroll natively, so the build replaces ScrollArea with a component that throws.
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
