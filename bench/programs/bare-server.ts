import { readFileSync } from "node:fs";
import { createServer } from "node:https";

// The upper bound for a Node HTTPS server: sends the same status and body for every request. Arguments: port, TLS key
// file, certificate file, status, file with the body.
const [port = "0", keyFile = "", certFile = "", status = "200", bodyFile = ""] = process.argv.slice(2);
const body = readFileSync(bodyFile);
const headers = body.length === 0 ? {} : { "content-type": "application/json", "content-length": body.length };

const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (_request, response) => {
  response.writeHead(Number(status), headers);
  response.end(body);
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("bare ready\n"));
process.on("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
