// The package's entry point on Node, Deno and Bun, by the export condition "node".
import { fileSystem, nodeTransport } from "./runtime/node.ts";
import { runtime } from "./runtime/runtime.ts";
import { runtimeName } from "./settings.ts";

const { transport } = runtime;
runtime.fileSystem = fileSystem;
// The fetch of Deno and Bun supports proxies, and certificate authorities from the environment.
runtime.transport = (authorities) => (runtimeName().startsWith("node/") ? nodeTransport : transport)(authorities);

// biome-ignore lint/performance/noBarrelFile: the entry of the package.
export * from "./index.ts";
