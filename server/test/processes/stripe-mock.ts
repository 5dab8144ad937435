import { mkdtemp } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findGoProgram } from "@beatmarket/foundation/testing/go-program.ts";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";

/** The path of stripe-mock, which checks each request against Stripe's OpenAPI document; a message if it is missing. */
export const findStripeMock = () =>
  findGoProgram({ module: "github.com/stripe/stripe-mock", version: "v0.203.0", go: "1.22" });

/** One request and stripe-mock's response. */
export interface MockedCall {
  /** Method and path: `POST /v1/refunds`. */
  call: string;
  status: number;
  /** The message of a refusal. */
  message: string | null;
}

/**
 * Starts stripe-mock, with a server in front that records the calls. `answer` may respond instead of stripe-mock if no
 * fixture fits. `close` ends both.
 */
export async function startStripeMock(
  program: string,
  answer: (call: string) => { status: number; body: string } | undefined = () => undefined,
): Promise<{ url: URL; calls: MockedCall[]; close: () => void }> {
  const socket = join(await mkdtemp(join(tmpdir(), "stripe-mock-")), "socket");
  const mock = startProgram(program, ["-http-unix", socket], { env: {} });
  for (let line = ""; !line.startsWith("Listening for HTTP"); ) line = await mock.nextLine();
  const calls: MockedCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url = "/", headers } = request;
    const call = `${method} ${url.replace(/\?.*/, "")}`;
    const { status, body } =
      answer(call) ?? (await forward(socket, { method, url, headers, body: Buffer.concat(chunks) }));
    const message = status < 400 ? null : (JSON.parse(body).error?.message ?? body);
    calls.push({ call, status, message });
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    calls,
    close: () => {
      server.close();
      mock.child.kill("SIGKILL");
    },
  };
}

function forward(
  socketPath: string,
  { method, url, headers, body }: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const forwarded = httpRequest({ socketPath, method, path: url, headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    forwarded.once("error", reject).end(body);
  });
}
