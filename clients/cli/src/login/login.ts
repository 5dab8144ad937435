import { spawn } from "node:child_process";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { readConfig, writeConfig } from "../config-file.ts";
import { type GlobalOptions, type Server, serverOf } from "../connection.ts";
import { CommandError } from "../errors.ts";
import { operations } from "../operation.ts";
import { print, type Run } from "../run.ts";
import { callPortal } from "./portal-call.ts";

interface LoginOptions {
  name?: string;
  permissions?: string;
  browser: boolean;
}

interface Authorization {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const permissions = [...new Set(operations.flatMap(({ permission }) => permission ?? []))].sort();
/** The seconds that slow_down adds to the interval (RFC 8628, 3.5). */
const slowerSeconds = 5;

/** `login`: a person confirms a code in the browser, and the key is stored for this server. */
export function loginCommand(program: Command, run: Run): void {
  const command = program
    .command("login")
    .summary("Log in with the browser.")
    .description(
      "Log in: the portal asks you to confirm a code, and makes an API key of your account for this machine. The key is stored for the server, in a file that only you can read.",
    )
    .option(
      "--permissions <list>",
      `the permissions of the key, separated by commas: some of ${permissions.join(", ")} (default: all)`,
    )
    .option("--name <text>", "the name of the key (default: this machine's)")
    .option("--no-browser", "do not open a browser");
  command.action((options: LoginOptions) => run(command, (globals) => login(options, globals)));
}

async function login(options: LoginOptions, globals: GlobalOptions): Promise<void> {
  const server = serverOf(globals, process.env);
  const requested = options.permissions?.split(",").map((permission) => permission.trim()) ?? permissions;
  const unknown = requested.find((permission) => !permissions.includes(permission));
  if (unknown !== undefined)
    throw new CommandError(`--permissions names ${unknown}; there are ${permissions.join(", ")}.`);
  const name = options.name ?? `beatmarket-cli on ${hostname()}`.slice(0, 100);
  const { status, body } = await callPortal(server, "/device/codes", { name, permissions: requested });
  if (status !== 200) throw refused(server, status, body);
  const codes = body as unknown as Authorization;
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  say(`Open ${codes.verification_uri_complete}\nand confirm the code ${codes.user_code}, if the page shows the same.`);
  if (options.browser && process.stderr.isTTY) openBrowser(codes.verification_uri_complete);
  const apiKey = await keyOf(server, codes);
  // The file is read again, because another login may have changed it since then.
  const { profiles } = readConfig(process.env);
  const profile = { apiKey, ...(server.caFile !== undefined && { ca: server.caFile }) };
  writeConfig(process.env, { server: server.origin, profiles: { ...profiles, [server.origin]: profile } });
  print(
    globals.json === true
      ? JSON.stringify({ server: server.origin, key_ends_with: apiKey.slice(-4) })
      : `Logged in to ${server.origin} with the key …${apiKey.slice(-4)}.`,
  );
}

/** Polls until the person has approved or denied the login, or the code has expired. */
async function keyOf(server: Server, { device_code, interval, expires_in }: Authorization): Promise<string> {
  let waitSeconds = interval;
  for (let waited = 0; waited < expires_in; waited += waitSeconds) {
    await sleep(waitSeconds * 1_000);
    const { status, body } = await callPortal(server, "/device/token", { grant_type: grantType, device_code });
    if (status === 200) return String(body.access_token);
    if (body.error === "slow_down") waitSeconds += slowerSeconds;
    else if (body.error !== "authorization_pending") throw refused(server, status, body);
  }
  throw new CommandError("The code was not confirmed in time. Run `beatmarket-cli login` again.");
}

function refused({ origin }: Server, status: number, { error, error_description: text }: Record<string, unknown>) {
  const details = typeof error === "object" ? (error as { details?: string }).details : text;
  return new CommandError(`${origin} refuses the login (${status}): ${details ?? "it is not this shop's portal"}`);
}

/** The command that opens an address in the browser, by platform. Other platforms have xdg-open. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Tries to open the page in a browser. The address is printed in any case. */
function openBrowser(url: string): void {
  const [program = "xdg-open", ...parameters] = openers[process.platform] ?? [];
  const child = spawn(program, [...parameters, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
