import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { json } from "node:stream/consumers";
import { isOfCertificate } from "../../../javascript/src/retry.ts";
import type { Server } from "../connection.ts";
import { CommandError } from "../errors.ts";

const timeoutMs = 30_000;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A call of the portal, which needs no key. Throws a CommandError that names the remedy. */
export async function callPortal({ origin, caFile }: Server, path: string, body: object): Promise<Answer> {
  const ca = caFile === undefined ? undefined : await readFile(caFile);
  const url = new URL(`/portal/api${path}`, origin);
  // The portal accepts changes only with its own origin, so that pages of other sites cannot start a login.
  const headers = { "content-type": "application/json", accept: "application/json", origin };
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const outgoing = request(url, { method: "POST", headers, ...(ca !== undefined && { ca }), timeout: timeoutMs });
      outgoing.on("timeout", () => outgoing.destroy(new Error("time-out")));
      outgoing.on("error", reject);
      outgoing.on("response", (response) =>
        json(response).then(
          (read) => resolve({ status: response.statusCode ?? 0, body: read as Answer["body"] }),
          reject,
        ),
      );
      outgoing.end(JSON.stringify(body));
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isOfCertificate(error) || isOfCertificate(new Error("", { cause: error })))
      throw new CommandError(
        `The certificate of ${origin} is not trusted (${code}). Name the file of its certificate authority with --ca: DATA_DIR/tls/ca.pem of your own server.`,
      );
    throw new CommandError(`${origin} does not answer (${code ?? message}). Is the server running?`);
  }
}
