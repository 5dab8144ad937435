// Runs inside the sandbox of media tasks, and tries what an attacker would try. Each attempt reports "done" or its
// error code.
import { createRequire, syncBuiltinESMExports } from "node:module";

const require = createRequire(import.meta.url);
const { outDir, outside, secret, code, port, pid } = JSON.parse(process.argv[2]);
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const connected = (socket) => new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
const responded = (request) =>
  new Promise((resolve, reject) => request.once("response", resolve).once("error", reject).end());
const listened = (server, ...where) =>
  new Promise((resolve, reject) => server.once("error", reject).listen(...where, resolve));
const into = (name) => `${outside}/${name}`;

const tries = {
  // Reading files.
  "read a file": () => fs.readFileSync(secret),
  "read the passwords": () => fs.promises.readFile("/etc/passwd"),
  "read by stream": () => fs.createReadStream(secret).toArray(),
  "read as a blob": async () => (await fs.openAsBlob(secret)).text(),
  "read a path upwards": () => fs.readFileSync(`${outDir}/../${secret.split("/").slice(-2).join("/")}`),
  "read through /proc/self/root": () => fs.readFileSync(`/proc/self/root${secret}`),
  "read through /proc/self/cwd": () => fs.readdirSync("/proc/self/cwd"),
  "read the environment of the parent": () => fs.readFileSync(`/proc/${process.ppid}/environ`),
  "read the own environment from the kernel": () => fs.readFileSync("/proc/self/environ"),
  "read the memory of another process": () => fs.openSync(`/proc/${pid}/mem`, "r+"),
  "open a file by a descriptor's path": () => fs.openSync("/proc/self/fd/0", "r"),
  "open /dev/fd": () => fs.openSync("/dev/fd/0", "r"),
  "open a terminal": () => fs.openSync("/dev/tty", "r+"),
  "list a folder": () => fs.readdirSync("/"),
  "open a folder": () => fs.opendirSync(outside),
  "find files": () => {
    if (fs.globSync("*", { cwd: outside }).length === 0) throw Object.assign(new Error(), { code: "EMPTY" });
  },
  "read the status of a file": () => fs.statSync(secret),
  "watch a folder": () => fs.watch(outside).close(),
  "read as settings": () => process.loadEnvFile(secret),
  // Writing files.
  "write a file": () => fs.writeFileSync(into("written"), ""),
  "append to a file": () => fs.promises.appendFile(secret, "x"),
  "create a folder": () => fs.mkdirSync(into("folder")),
  "create a temporary folder": () => fs.mkdtempSync(into("temporary-")),
  "delete a file": () => fs.rmSync(secret),
  "truncate a file": () => fs.truncateSync(secret),
  "change a mode": () => fs.chmodSync(secret, 0o777),
  "change times": () => fs.utimesSync(secret, 0, 0),
  "move a file out": () => {
    fs.writeFileSync(`${outDir}/moved`, "");
    fs.renameSync(`${outDir}/moved`, into("moved"));
  },
  "copy a file in": () => fs.copyFileSync(secret, `${outDir}/copy`),
  "link a file in": () => fs.linkSync(secret, `${outDir}/hard`),
  "write through a symbolic link": () => {
    fs.symlinkSync(outside, `${outDir}/soft`);
    fs.writeFileSync(`${outDir}/soft/linked`, "");
  },
  "write into the code": () => fs.writeFileSync(`${code}/planted.ts`, ""),
  "write a report": () => process.report.writeReport(into("report.json")),
  "write a heap snapshot": () => require("node:v8").writeHeapSnapshot(into("heap")),
  "write a compile cache": () => {
    const { status } = require("node:module").enableCompileCache(into("cache"));
    if (status !== 1) throw Object.assign(new Error(), { code: `STATUS ${status}` });
  },
  "write a trace of events": () => {
    const tracing = require("node:trace_events").createTracing({ categories: ["node.perf"] });
    tracing.enable();
    require("node:perf_hooks").performance.mark("x");
    tracing.disable();
  },
  // SQLite.
  "create a database": () => new (require("node:sqlite").DatabaseSync)(into("database")),
  "open a database as URL": () => new (require("node:sqlite").DatabaseSync)(new URL(`file://${into("database2")}`)),
  "open a database in memory": () => new (process.getBuiltinModule("node:sqlite").DatabaseSync)(":memory:"),
  "use local storage": () => localStorage.setItem("a", "b"),
  // Network.
  "connect by TCP": () => connected(net.connect(port, "127.0.0.1")),
  "connect by TLS": () => connected(require("node:tls").connect(port, "127.0.0.1")),
  "connect to a socket file": () => connected(net.connect({ path: "/run/docker.sock" })),
  "listen on a port": () => listened(net.createServer(), 0, "127.0.0.1"),
  "listen on a socket file": () => listened(net.createServer(), into("socket")),
  "send by UDP": () =>
    new Promise((resolve, reject) => {
      const socket = require("node:dgram").createSocket("udp4").once("error", reject);
      socket.send("x", port, "127.0.0.1", (error) => (error ? reject(error) : resolve()));
    }),
  fetch: () => fetch(`http://127.0.0.1:${port}/`).catch(({ cause }) => Promise.reject(cause)),
  "request by HTTP": () => responded(require("node:http").request({ port, host: "127.0.0.1" })),
  "request by HTTP/2": () => connected(require("node:http2").connect(`http://127.0.0.1:${port}`)),
  "open a web socket": () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
      socket.onopen = resolve;
      socket.onerror = (event) => reject(event.error ?? event);
    }),
  "look a name up": () => require("node:dns").promises.lookup("localhost.example"),
  "query a name server": () => {
    const resolver = new (require("node:dns").promises.Resolver)({ timeout: 500, tries: 1 });
    resolver.setServers([`127.0.0.1:${port}`]);
    return resolver.resolve4("localhost.example");
  },
  // Processes and threads.
  "start a program": () => {
    const { error } = require("node:child_process").spawnSync("/bin/true");
    if (error) throw error;
  },
  "fork a program": () => require("node:child_process").fork(import.meta.filename),
  "run a shell": () => require("node:child_process").execSync("true"),
  "fork a cluster": () => require("node:cluster").default?.fork() ?? require("node:cluster").fork(),
  "replace the process by another program": () => process.execve("/bin/true", ["true"], {}),
  "start a thread": () => new (require("node:worker_threads").Worker)("", { eval: true }),
  "start a debugger": () => require("node:inspector").open(0),
  "attach a debugger": () => new (require("node:inspector").Session)().connect(),
  "debug another process": () => process._debugProcess(pid),
  "signal another process": () => process.kill(pid, 0),
  "signal the group": () => process.kill(0, 0),
  "signal by the internal function": () => {
    const failure = process._kill(pid, 0);
    if (failure < 0) throw Object.assign(new Error(), { code: `errno ${failure}` });
  },
  "signal by an imported function": async () => (await import("node:process")).kill(pid, 0),
  "signal after synchronizing the exports": () => {
    syncBuiltinESMExports();
    return process.getBuiltinModule("node:process").kill(pid, 0);
  },
  "change another process's priority": () => os.setPriority(pid, 19),
  "become another user": () => process.setuid(process.getuid()),
  // Native code.
  "load an addon": () => {
    fs.writeFileSync(`${outDir}/addon.node`, "");
    require(`${outDir}/addon.node`);
  },
  "load a library": () => process.dlopen({ exports: {} }, `${outDir}/addon.node`),
  "load a library of the system": () => process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6"),
  "use internal bindings": () => process.binding("spawn_sync"),
  "use linked bindings": () => process._linkedBinding("spawn_sync"),
  "use WASI": () => new (require("node:wasi").WASI)({ version: "preview1", preopens: { "/": "/" } }),
  "call foreign functions": () => require("node:ffi").dlopen(null, {}),
  "compile code from text": () => new Function("return 1")(),
  "mount a virtual file system": () => require("node:vfs").create().mount("/work"),
  "set an engine of OpenSSL": () => require("node:crypto").setEngine("/lib/engine.so"),
  // Code from other files.
  "import a file": () => import(secret),
  "require a file": () => require(secret),
  "register an import hook": () => require("node:module").register(`file://${secret}`),
};

const outcomes = {};
let rejectAttempt = () => {};
process.on("uncaughtException", (error) => rejectAttempt(error));
for (const [name, act] of Object.entries(tries)) {
  try {
    await new Promise((resolve, reject) => {
      rejectAttempt = reject;
      Promise.resolve().then(act).then(resolve, reject);
    });
    outcomes[name] = "done";
  } catch (error) {
    outcomes[name] = error?.code ?? error?.name ?? String(error);
  }
}
fs.writeSync(3, `${JSON.stringify(outcomes)}\n`);
process.exit(0);
