import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { releasedDocument } from "./released-document.ts";

// Stores the part of contract/openapi.json on which clients rely, and contract/examples.json, in contract/released/.
// They replace the files of the previous release.
const folder = new URL("../../contract/released/", import.meta.url);
const read = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));
const { version } = await read("../../package.json");
await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) await rm(new URL(name, folder));
const document = releasedDocument(await read("../../contract/openapi.json"));
await writeFile(new URL(`openapi-${version}.json`, folder), `${JSON.stringify(document, null, 1)}\n`);
const examples = await read("../../contract/examples.json");
await writeFile(new URL(`examples-${version}.json`, folder), `${JSON.stringify(examples, null, 1)}\n`);
