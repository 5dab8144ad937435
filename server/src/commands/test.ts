import { drillCommand } from "@beatmarket/webhook-testing/drill-command.ts";
import { signatureHeaders } from "@beatmarket/webhooks/signature.ts";
import type { Command } from "commander";
import { runCommand } from "./terminal/run.ts";

/** `test …`: tests of programs that use the service. */
export function testCommand(test: Command): void {
  drillCommand(test, {
    sign: async (body, secret, time) => {
      const { id } = JSON.parse(body) as { id: string };
      const timestampSeconds = Math.floor(time.getTime() / 1_000);
      return signatureHeaders({ id, timestampSeconds, body: Buffer.from(body) }, [secret]);
    },
    run: (_, work) => runCommand(work),
  });
}
