import { createServer } from "node:http";

// A collector that discards all traces. Argument: port.
const [port = "0"] = process.argv.slice(2);

const server = createServer((request, response) => {
  request.resume().on("end", () => response.end());
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("collector ready\n"));
process.on("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
