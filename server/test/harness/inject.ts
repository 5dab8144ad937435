import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import lightMyRequest from "light-my-request";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Sends a request without a network, by the way that one from the network takes: `app.inject` would begin at the
 * framework, behind the shortcut (http/shortcut.ts).
 */
export async function inject(app: FastifyInstance, options: InjectOptions): Promise<LightMyRequestResponse> {
  await app.ready();
  const [listener] = app.server.listeners("request") as Listener[];
  if (listener === undefined) throw new Error("The server listens for no requests.");
  return lightMyRequest(listener as never, options);
}
