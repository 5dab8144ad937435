import { writeFile } from "node:fs/promises";
import { contractTypes } from "./types.ts";

// Rewrites src/contract.ts from contract/openapi.json.
await writeFile(new URL("../src/contract.ts", import.meta.url), await contractTypes());
