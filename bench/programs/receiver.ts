import { createServer } from "node:http";

// A receiver of webhooks: responds 200 at once, except under /hang, where it never responds. Logs when each event under
// /timed arrived. GET /log returns these times by the number in the event's data, and clears the log. Argument: port.
const [port = "0"] = process.argv.slice(2);
let receivedMs: Record<string, number> = {};

const server = createServer((request, response) => {
  if (request.url?.startsWith("/hang") === true) return;
  if (request.method === "GET") {
    response.end(JSON.stringify(receivedMs));
    receivedMs = {};
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url?.startsWith("/timed") === true) {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { n: number } };
      receivedMs[data.n] = performance.timeOrigin + performance.now();
    }
    response.end("ok");
  });
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("receiver ready\n"));
process.on("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
