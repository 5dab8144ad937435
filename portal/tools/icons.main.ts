import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { iconFiles } from "./icon-files.ts";

// npm run icons: copies the icons that portal/src imports from their package to portal/icons.

const folder = join(import.meta.dirname, "../icons");
const files = await iconFiles();
await rm(folder, { recursive: true, force: true });
for (const [path, text] of files) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
console.log(`portal/icons has ${(await readdir(join(folder, "icons"))).length} icons.`);
