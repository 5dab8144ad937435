import type { Command } from "commander";
import { APIStatusError } from "../../../javascript/src/errors.ts";
import { Api } from "../api.ts";
import { configFile, readConfig, writeConfig } from "../config-file.ts";
import { clientOptions, type GlobalOptions, serverOf } from "../connection.ts";
import { recordText } from "../output/record.ts";
import { print, type Run } from "../run.ts";

/** `logout`: deletes the stored key of a server. */
export function logoutCommand(program: Command, run: Run): void {
  const command = program
    .command("logout")
    .summary("Forget the key of a server.")
    .description(
      "Forget the key of a server on this machine. The key itself is revoked in the portal, at /portal/keys.",
    );
  command.action(() =>
    run(command, (globals) => {
      const { origin } = serverOf(globals, process.env);
      const { profiles, server } = readConfig(process.env);
      const { [origin]: forgotten, ...otherProfiles } = profiles;
      if (forgotten === undefined) return print(`There is no login at ${origin}.`);
      writeConfig(process.env, {
        profiles: otherProfiles,
        ...(server !== undefined && server !== origin && { server }),
      });
      print(`Logged out of ${origin}. Revoke the key …${forgotten.apiKey.slice(-4)} at ${origin}/portal/keys.`);
    }),
  );
}

/** `whoami`: prints the server and the end of the key. Fails if the key does not work. */
export function whoamiCommand(program: Command, run: Run): void {
  const command = program
    .command("whoami")
    .summary("Show the server and the key that commands use.")
    .description("Show the server and the key that commands use, where the key comes from, and whether the key works.");
  command.action(() => run(command, whoami));
}

/** The option, variable or file that the key comes from. */
function keySource({ apiKey }: GlobalOptions): string {
  if (apiKey !== undefined) return "--api-key";
  return process.env.BEATMARKET_API_KEY ? "BEATMARKET_API_KEY" : configFile(process.env);
}

async function whoami(globals: GlobalOptions): Promise<void> {
  const { apiKey, baseUrl, caFile } = clientOptions(globals, process.env);
  const source = keySource(globals);
  const api = new Api(globals, process.env);
  const request = { method: "GET", url: api.sender.url("/genres") };
  // A key without genres:read is also valid.
  const rateLimit = await api.send(request).then(
    ({ response }) => response.rateLimit,
    (error) => {
      if (error instanceof APIStatusError && error.status === 403) return error.rateLimit;
      throw error;
    },
  );
  const facts = {
    server: baseUrl,
    key: `…${apiKey.slice(-4)}`,
    from: source,
    ...(caFile !== undefined && { ca: caFile }),
    ...(rateLimit !== null && { requests_left: `${rateLimit.remaining} of ${rateLimit.limit}` }),
  };
  print(globals.json === true ? JSON.stringify(facts) : recordText(facts));
}
