import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

// Runs before the program of a sandbox. Disables functions that Node's permissions still allow (docs/security.md).

// Loads the picture decoder, the only allowed addon. After that, no other addon can be loaded.
if (process.permission.has("addon")) await import("sharp");

const refuse = (): never => {
  throw Object.assign(new Error("This is not allowed in the sandbox."), { code: "ERR_ACCESS_DENIED" });
};
const processFunctions = [
  "kill",
  "_kill",
  "_debugProcess",
  "_debugEnd",
  "dlopen",
  "execve",
  "binding",
  "_linkedBinding",
  "setuid",
  "seteuid",
  "setgid",
  "setegid",
  "setgroups",
  "initgroups",
];
for (const [owner, name] of [...processFunctions.map((name) => [process, name] as const), [os, "setPriority"] as const])
  Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
// Applies the changes also to named imports, such as `import { kill } from "node:process"`.
syncBuiltinESMExports();
