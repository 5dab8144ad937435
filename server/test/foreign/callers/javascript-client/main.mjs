// The client on Node, Deno and Bun: prints the results.
import { use } from "./use.mjs";

console.log(JSON.stringify(await use({})));
