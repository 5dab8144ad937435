import { setPriority } from "node:os";
import type { Address } from "../stage/client.ts";
import { Flood } from "./flood.ts";
import { shapes } from "./shapes.ts";

// A process of its own: strangers share no event loop with the client that is measured, and yield the processor to it,
// as they would on machines of their own.
setPriority(10);
const [shape = "", connections = "", seconds = "", address = ""] = process.argv.slice(2);
const stranger = shapes[shape];
if (stranger === undefined) throw new Error(`There is no shape "${shape}".`);
const flood = new Flood(JSON.parse(address) as Address);
const untilMs = performance.now() + Number(seconds) * 1_000;
await Promise.all(Array.from({ length: Number(connections) }, () => stranger(flood, untilMs)));
process.stdout.write(JSON.stringify(flood.tally), () => process.exit());
