import scalar from "@scalar/fastify-api-reference";
import { encoded } from "./script.ts";

// The program that scalar.ts starts: takes Scalar's bundle out of its package, compresses it, sends it, and ends.

interface Reply {
  header(): Reply;
  send(body: string): string;
}

interface ScalarRoute {
  url: string;
  handler(request: object, reply: Reply): unknown;
}

// The package holds the bundle as a string, behind a route of its plugin. Its pages are not used: they start the bundle by
// an inline script, which our content security policy forbids.
const routes: ScalarRoute[] = [];
const host = {
  initialConfig: {},
  hasPlugin: () => false,
  route: (route: ScalarRoute) => routes.push(route),
};
await scalar(host as never, { routePrefix: "/scalar", configuration: { url: "/openapi.json" } }, () => {});
const reply: Reply = { header: () => reply, send: (body) => body };
const bundle = routes.find(({ url }) => url.endsWith("/js/scalar.js"))?.handler({}, reply);
if (typeof bundle !== "string") throw new Error("Scalar's package has no script where it was expected.");

// The map is not part of the package, and browsers with open developer tools would ask for it.
const script = bundle.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n");
process.send?.(await encoded("scalar", Buffer.from(script)), () => process.disconnect?.());
