import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { operations, program } from "./command-line.mjs";

const run = promisify(execFile);
const sharedFlags = ["--idempotency-key", "--if-match"];

/** Describes the built program: the parameters in the help of each command. */
export async function describe() {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const { stdout } = await run(process.execPath, [program, "--version"]);
  if (stdout.trim() !== version) throw new Error(`package.json has ${version}, the program ${stdout.trim()}.`);
  const described = {};
  for (const operation of operations) described[operation.id] = await describeCommand(operation);
  return { language: "cli", version, operations: described };
}

async function describeCommand({ command, method, path, ids, query, body, result }) {
  const { stdout: help } = await run(process.execPath, [program, ...command, "--help"], { env: { COLUMNS: "500" } });
  const usage = help.slice(0, help.indexOf("\n"));
  const has = ({ name }) => usage.includes(`<${name}>`) || hasFlag(`--${name.replaceAll("_", "-")}`);
  const hasFlag = (flag) => new RegExp(`^ +${flag} `, "m").test(help.split("Global Options:")[0]);
  const names = (values) => values.filter(has).map(({ name }) => name);
  const headers = sharedFlags.filter(hasFlag).map((flag) => flag.slice(2).replaceAll("-", "_"));
  const file = result.kind === "file" && hasFlag("--out") ? ["path"] : [];
  return { method, path, parameters: [...names(ids), ...names(query), ...headers, ...file], body: names(body) };
}
