import { Agent, request } from "undici";

// The highest rate at which webhooks could be sent: posts the same body again and again. Arguments: URL, number of
// requests, connections, bytes of the body. Prints requests per second.
const [url = "", count = "0", connections = "1", bytes = "0"] = process.argv.slice(2);
const body = "x".repeat(Number(bytes));
const dispatcher = new Agent({ connections: Number(connections) });
let remaining = Number(count);
const startedMs = performance.now();
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (remaining-- > 0) {
      const response = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        dispatcher,
      });
      await response.body.dump();
    }
  }),
);
const seconds = (performance.now() - startedMs) / 1000;
process.stdout.write(`${JSON.stringify({ requestsPerSecond: Number(count) / seconds })}\n`);
await dispatcher.close();
