import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { notBuilt } from "../portal/web-app.ts";

/** What the build of the portal has for the public pages: portal/src/site. */
export interface SiteAssets {
  /** The whole style sheet, which pages carry, so that the first paint waits for one response. */
  style: string;
  /** Its address. */
  script: string;
}

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

const entry = "src/site/site.ts";

/** Reads them from the folder of the built portal. Throws 503 where it is not built. */
export async function readAssets(folder: string): Promise<SiteAssets> {
  try {
    const text = await readFile(join(folder, ".vite/site.json"), "utf8");
    const manifest = JSON.parse(text) as Record<string, Chunk>;
    const { file } = chunkOf(manifest, entry);
    const styles = [...new Set(stylesOf(manifest, entry))];
    const texts = await Promise.all(styles.map((its) => readFile(join(folder, its), "utf8")));
    return { style: texts.join("\n"), script: `/portal/${file}` };
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

function stylesOf(manifest: Record<string, Chunk>, name: string): string[] {
  const { css = [], imports = [] } = chunkOf(manifest, name);
  return [...imports.flatMap((its) => stylesOf(manifest, its)), ...css];
}
