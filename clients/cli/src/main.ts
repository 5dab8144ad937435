#!/usr/bin/env node
import { runProgram } from "./program.ts";

// A reader that closes the pipe, such as head, ends the program.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));
await runProgram(process.argv.slice(2));
