import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Fastify from "fastify";

/** A script in every encoding it is served in, and a name that changes with its content. */
export interface Script {
  /** For example "scalar-1f0c….js". */
  fileName: string;
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/**
 * Scalar's own bundle, out of its Fastify package. The package's pages are not used: they redirect, and start the
 * bundle by an inline script, which our content security policy forbids.
 */
export async function loadScalar(): Promise<Script> {
  // Loaded on first use: 4 MB of script that a server without visitors need not hold.
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const host = Fastify();
  await host.register(scalar, { routePrefix: "/scalar", configuration: { url: "/openapi.json" } });
  const { statusCode, rawPayload } = await host.inject("/scalar/js/scalar.js");
  await host.close();
  if (statusCode !== 200) throw new Error(`Scalar's package answered ${statusCode} instead of its script.`);
  return encoded("scalar", withoutSourceMap(rawPayload));
}

// The map is not part of the package, and browsers with open developer tools would ask for it.
const withoutSourceMap = (script: Buffer): Buffer =>
  Buffer.from(script.toString("utf8").replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n"));

/** Compresses off the event loop; quality 5 is where brotli stays quick. */
export async function encoded(name: string, script: Buffer): Promise<Script> {
  const hash = createHash("sha256").update(script).digest("hex").slice(0, 16);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    promisify(gzip)(script),
  ]);
  return { fileName: `${name}-${hash}.js`, identity: script, br, gzip: gzipped };
}
