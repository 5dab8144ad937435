import { writeFile } from "node:fs/promises";
import { operationsText } from "./contract.ts";

// Rewrites contract/snippets/operations.json from the operation table. The module that writes the
// code samples of the OpenAPI document loads this file at its import, so contract.main.ts runs in a later process.
await writeFile(new URL("../../contract/snippets/operations.json", import.meta.url), operationsText());
