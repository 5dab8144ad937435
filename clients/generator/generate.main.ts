import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { generate, generatedFolders } from "./generate.ts";

// Rewrites the generated files of the client libraries from contract/openapi.json.
const clients = new URL("../", import.meta.url);
const files = generate(JSON.parse(await readFile(new URL("../../contract/openapi.json", import.meta.url), "utf8")));
for (const { path, text } of files) {
  const file = new URL(path, clients);
  await mkdir(dirname(file.pathname), { recursive: true });
  await writeFile(file, text);
}
const writtenPaths = new Set(files.map(({ path }) => path));
for (const folder of generatedFolders)
  for (const name of await readdir(new URL(folder, clients), { recursive: true }).catch(() => []))
    if (/\.\w+$/.test(name) && !name.includes("__pycache__") && !writtenPaths.has(`${folder}${name}`))
      await rm(new URL(`${folder}${name}`, clients));
