import scalar from "@scalar/fastify-api-reference";
import { encoded } from "./script.ts";

// Started by scalar.ts. Extracts Scalar's bundle from its package, compresses it, sends it to the parent and exits.

interface Reply {
  header(): Reply;
  send(body: string): string;
}

interface ScalarRoute {
  url: string;
  handler(request: object, reply: Reply): unknown;
}

// The package holds the bundle as a string, behind a route of its plugin. Its HTML page is not used: it starts the bundle with
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

// The package lacks the source map, which browsers with open developer tools would request.
const script = bundle.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n");
process.send?.(await encoded("scalar", Buffer.from(script)), () => process.disconnect?.());
