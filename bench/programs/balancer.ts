import { connect, createServer } from "node:net";

// A TCP proxy for several instances, round robin by connection. The instances terminate TLS.
// Arguments: port, ports of the instances.
const [port = "0", ...instances] = process.argv.slice(2);
let targetIndex = 0;

const server = createServer((client) => {
  const instance = connect(Number(instances[targetIndex++ % instances.length]), "127.0.0.1");
  client.setNoDelay(true);
  instance.setNoDelay(true);
  client.pipe(instance).pipe(client);
  client.on("error", () => instance.destroy());
  instance.on("error", () => client.destroy());
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("balancer ready\n"));
process.on("SIGTERM", () => process.exit());
