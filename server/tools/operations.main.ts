import { writeFile } from "node:fs/promises";
import { operationsText } from "./contract.ts";

// Rewrites contract/snippets/operations.json from the operation table. The document's samples read it when their process starts, so
// contract.main.ts runs afterwards.
await writeFile(new URL("../../contract/snippets/operations.json", import.meta.url), operationsText());
