// The client on Node, Deno and Bun: prints what it got.
import { use } from "./use.mjs";

console.log(JSON.stringify(await use({})));
