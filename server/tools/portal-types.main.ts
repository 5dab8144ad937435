import { readFile, writeFile } from "node:fs/promises";
import openapiTypescript, { astToString } from "openapi-typescript";

// Writes portal/src/api/paths.ts, the types of the web app's calls, from contract/portal-openapi.json. Only the type
// check reads them.

const file = new URL("../../portal/src/api/paths.ts", import.meta.url);
const types = astToString(await openapiTypescript(new URL("../../contract/portal-openapi.json", import.meta.url)));
const text = `// The portal's routes as its web app sees them. Made by \`npm run contract\` and \`npm test\`.\n\n${types}`;
const last = await readFile(file, "utf8").catch(() => "");
// A rewritten file would make the type check run again.
if (text !== last) await writeFile(file, text);
