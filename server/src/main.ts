// Some Node settings work only as command-line flags, so a process without them starts again with them (scripts/node/node26.mjs).
if (process.execArgv.some((flag) => flag.startsWith("--max-semi-space-size="))) {
  // The flags' sizes of the young generation are the main thread's: left set, they would override the resourceLimits of other threads.
  const { setFlagsFromString } = await import("node:v8");
  for (const flag of ["--max-semi-space-size=0", "--min-semi-space-size=0"]) setFlagsFromString(flag);
  const { runProgram } = await import("./commands/program.ts");
  await runProgram(process.argv.slice(2));
} else {
  // @ts-expect-error: without types, since it runs on any Node.
  await import("../bin/beatmarket.mjs");
}

export {};
