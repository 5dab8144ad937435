import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import type { OversizeJob } from "../cases/oversize-bodies.ts";

// A socket that writes a body 16 kB at a time, with gaps, and reads the response only after the last write.
const { origin, path, headers, bytes, isChunked, runs } = JSON.parse(process.env.JOB ?? "") as OversizeJob;
const { protocol, hostname, port } = new URL(origin);
const block = Buffer.alloc(16_384, " ");
const part = isChunked ? Buffer.concat([Buffer.from("4000\r\n"), block, Buffer.from("\r\n")]) : block;
const gapEvery = 32;
const continued = "HTTP/1.1 100 Continue\r\n\r\n";

const outcomes: Record<string, number> = {};
for (let run = 0; run < runs; run++) {
  const outcome = await post().catch(String);
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}
console.log(JSON.stringify(outcomes));

async function post(): Promise<string> {
  const address = { port: Number(port), host: hostname };
  const socket = protocol === "https:" ? connectTls(address) : connectTcp(address);
  let response = "";
  let failure = "closed without a response";
  socket.on("data", (chunk) => {
    response += String(chunk);
  });
  socket.on("error", (error) => {
    failure = String(error);
  });
  const closed = once(socket, "close");
  await once(socket, protocol === "https:" ? "secureConnect" : "connect");
  const lines = {
    ...headers,
    Host: hostname,
    ...(isChunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": bytes }),
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
  for (let sentBytes = 0, parts = 0; sentBytes < bytes && socket.writable; sentBytes += block.length, parts++) {
    const length = Math.min(block.length, bytes - sentBytes);
    if (!socket.write(isChunked ? part : block.subarray(0, length)))
      await Promise.race([once(socket, "drain"), closed]);
    if (parts % gapEvery === 0) await sleep(1);
  }
  if (isChunked && socket.writable) socket.write("0\r\n\r\n");
  const deadline = setTimeout(() => socket.destroy(), 60_000);
  await closed;
  clearTimeout(deadline);
  const [, status, body] = /^HTTP\/1\.1 (\d+) .*?\r\n\r\n(.*)$/s.exec(response.replace(continued, "")) ?? [];
  return status === undefined ? failure : `${status} ${JSON.parse(body as string).error.message}`;
}
