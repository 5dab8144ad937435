import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

// Loaded before the program of a sandbox: takes away what Node's permissions leave. docs/security.md names the rest.

// The decoder of pictures is the only addon; no other can be loaded after this.
if (process.permission.has("addon")) await import("sharp");

const refuse = (): never => {
  throw Object.assign(new Error("This is not allowed in the sandbox."), { code: "ERR_ACCESS_DENIED" });
};
const ofProcess = [
  ...["kill", "_kill", "_debugProcess", "_debugEnd", "dlopen", "execve", "binding", "_linkedBinding"],
  ...["setuid", "seteuid", "setgid", "setegid", "setgroups", "initgroups"],
];
for (const [owner, name] of [...ofProcess.map((name) => [process, name] as const), [os, "setPriority"] as const])
  Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
// What `import { kill } from "node:process"` gets.
syncBuiltinESMExports();
