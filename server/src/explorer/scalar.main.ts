import scalar from "@scalar/fastify-api-reference";
import Fastify from "fastify";
import { encoded } from "./script.ts";

// The program that scalar.ts starts: takes Scalar's bundle out of its Fastify package, compresses it, sends it, and ends.

// The package's pages are not used: they redirect, and start the bundle by an inline script, which our content security
// policy forbids.
const host = Fastify();
await host.register(scalar, { routePrefix: "/scalar", configuration: { url: "/openapi.json" } });
const { statusCode, payload } = await host.inject("/scalar/js/scalar.js");
if (statusCode !== 200) throw new Error(`Scalar's package answered ${statusCode} instead of its script.`);

// The map is not part of the package, and browsers with open developer tools would ask for it.
const script = payload.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n");
process.send?.(await encoded("scalar", Buffer.from(script)), () => process.disconnect?.());
