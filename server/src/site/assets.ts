import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { notBuilt } from "../portal/web-app.ts";
import type { SiteBrand } from "./brand.ts";

/** The script and the style of the public pages (portal/src/site) in the build of the portal. */
export interface SiteAssets {
  /** The complete style sheet. Pages contain it, so that the first paint needs only one response. */
  style: string;
  /** The address of the script. */
  script: string;
  brand: SiteBrand;
}

/** Reads the assets of the public pages. Throws 503 if the portal is not built. */
export type ReadAssets = () => Promise<SiteAssets>;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

const entry = "src/site/site.ts";

/** Reads the assets from the folder of the built portal. */
export async function readAssets(folder: string, brand: SiteBrand): Promise<SiteAssets> {
  const manifest = await readManifest(folder);
  const texts = await Promise.all(stylesOf(manifest, entry).map((each) => readFile(join(folder, each), "utf8")));
  return { style: texts.join("\n") + brand.style, script: `/portal/${chunkOf(manifest, entry).file}`, brand };
}

/** The addresses of the script and the style sheets of a page's entry, such as "src/site/reference.ts". */
export async function assetsOf(folder: string, name: string): Promise<{ script: string; styles: string[] }> {
  const manifest = await readManifest(folder);
  return {
    script: `/portal/${chunkOf(manifest, name).file}`,
    styles: stylesOf(manifest, name).map((file) => `/portal/${file}`),
  };
}

async function readManifest(folder: string): Promise<Record<string, Chunk>> {
  try {
    return JSON.parse(await readFile(join(folder, ".vite/site.json"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw notBuilt();
    throw error;
  }
}

function chunkOf(manifest: Record<string, Chunk>, name: string): Chunk {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`The build of the portal has no ${name}.`);
  return chunk;
}

const stylesOf = (manifest: Record<string, Chunk>, name: string): string[] => [...new Set(allStyles(manifest, name))];

function allStyles(manifest: Record<string, Chunk>, name: string): string[] {
  const { css = [], imports = [] } = chunkOf(manifest, name);
  return [...imports.flatMap((each) => allStyles(manifest, each)), ...css];
}
