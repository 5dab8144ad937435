import { setPriority } from "node:os";
import type { Address } from "../stage/client.ts";
import { Flood } from "./flood.ts";
import { shapes } from "./shapes.ts";

// Strangers run in a separate process, so that they share no event loop with the measured client. With a low priority,
// they leave the processor to the client, as if they ran on other machines.
setPriority(10);
const [shape = "", connections = "", seconds = "", address = ""] = process.argv.slice(2);
const stranger = shapes[shape];
if (stranger === undefined) throw new Error(`There is no shape "${shape}".`);
const flood = new Flood(JSON.parse(address) as Address);
const untilMs = performance.now() + Number(seconds) * 1_000;
await Promise.all(Array.from({ length: Number(connections) }, () => stranger(flood, untilMs)));
process.stdout.write(JSON.stringify(flood.tally), () => process.exit());
