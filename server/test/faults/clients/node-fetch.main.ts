import type { OversizeJob } from "../cases/oversize-bodies.ts";

// Node's fetch (undici). Its process trusts the certificate authority by NODE_EXTRA_CA_CERTS.
const { origin, path, headers, bytes, isChunked, runs } = JSON.parse(process.env.JOB ?? "") as OversizeJob;
const outcomes: Record<string, number> = {};
for (let run = 0; run < runs; run++) {
  let outcome: string;
  try {
    const body = isChunked ? ReadableStream.from(blocks()) : Buffer.alloc(bytes, " ");
    const response = await fetch(origin + path, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    outcome = `${response.status} ${((await response.json()) as { error: { message: string } }).error.message}`;
  } catch (error) {
    outcome = String((error as Error).cause ?? error);
  }
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}
console.log(JSON.stringify(outcomes));

function* blocks(): Generator<Buffer> {
  for (let sentBytes = 0; sentBytes < bytes; sentBytes += 65_536) yield Buffer.alloc(65_536, " ");
}
