// Some Node settings work only as command-line flags, so a process without them starts again with them (scripts/node/node26.mjs).
if (process.execArgv.some((flag) => flag.startsWith("--max-semi-space-size="))) {
  const { runProgram } = await import("./commands/program.ts");
  await runProgram(process.argv.slice(2));
} else {
  // @ts-expect-error: without types, since it runs on any Node.
  await import("../bin/beatmarket.mjs");
}

export {};
