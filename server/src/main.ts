// Some Node settings work only as command-line flags, so a process without them starts again with them
// (scripts/node/node26.mjs).
if (process.execArgv.some((flag) => flag.startsWith("--max-semi-space-size="))) {
  // The flags are for the main thread, whose young generation has its size by now. If they stayed set, they would
  // override the resourceLimits of other threads.
  const { setFlagsFromString } = await import("node:v8");
  for (const flag of ["--max-semi-space-size=0", "--min-semi-space-size=0"]) setFlagsFromString(flag);
  const { runProgram } = await import("./commands/program.ts");
  await runProgram(process.argv.slice(2));
} else {
  // @ts-expect-error: The module has no types, because it is JavaScript, which runs on every version of Node.
  await import("../bin/beatmarket.mjs");
}

export {};
