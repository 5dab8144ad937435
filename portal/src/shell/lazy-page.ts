import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { PortalArea } from "../../../contract/texts/en/portal/index.ts";
import type { Texts } from "../../../contract/texts/text.ts";
import { loadChunk } from "../api/load-chunk.ts";
import { addTexts, locale, textFiles } from "../api/locale.ts";
import { englishPage } from "./english-page.tsx";

/** A page that is loaded when it is first shown. `area` names the page's texts; without it the page is in English. */
export const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  area?: PortalArea,
) =>
  lazyRouteComponent(async () => {
    const [module] = await Promise.all([loadChunk(load), area === undefined ? undefined : loadTexts(area)]);
    const isForeign = area === undefined && locale.language !== "en";
    return isForeign ? { ...module, [name]: englishPage(module[name] as ComponentType) } : module;
  }, name);

/** Loads the texts of an area, unless the document's HTML contained them. */
async function loadTexts(area: PortalArea): Promise<void> {
  const file = textFiles[area];
  if (file === undefined) return;
  const { default: texts } = await loadChunk<{ default: Texts }>(() => import(/* @vite-ignore */ file));
  addTexts(texts);
  delete textFiles[area];
}
