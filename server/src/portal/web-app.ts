import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ApiError, notFound } from "../errors.ts";

/**
 * Nothing inline runs, and only our own origin is called. Mantine writes style elements, hence 'unsafe-inline' for styles
 * alone. Covers and previews of an imported catalogue are where their producers keep them, hence https: for those.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob: https:",
  "font-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

/**
 * Serves the built web app of `folder` at /portal: files whose names hold their hash for good, everything else fresh,
 * compressed ahead; any other path is a page of the app, which finds its own way.
 */
export async function webApp(app: FastifyInstance, { folder }: { folder: string }): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, "assets/"));
      reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
      reply.header("vary", "Accept-Encoding");
    },
  });
  app.get("/portal/assets/*", async (request, reply) =>
    reply.sendFile(`assets/${(request.params as { "*": string })["*"]}`),
  );
  for (const file of ["icon.svg", "color-scheme.js"])
    app.get(`/portal/${file}`, async (_request, reply) => reply.sendFile(file));
  for (const path of ["/portal", "/portal/*"])
    app.get(path, async (request, reply) => {
      if (request.url.startsWith("/portal/api")) throw notFound(`There is nothing at ${request.url.split("?")[0]}.`);
      if (!existsSync(join(folder, "index.html"))) throw notBuilt();
      return reply.headers(pageHeaders).sendFile("index.html");
    });
}

const notBuilt = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "The portal is not built",
    "npm start builds it. To build it beside a server started in another way: node scripts/build-portal.mjs.",
  );
