import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Command } from "commander";
import { restoreBeat, takeDownBeat } from "../../resources/takedowns/take-down.ts";
import { wholeSecondsUtc } from "../terminal/output.ts";
import { printResult, withDatabase } from "../terminal/run.ts";

interface Options {
  reason: string;
  json?: true;
}

const help = `
The command works with or without a running server. A running server applies the change within a second and sends the mails. docs/takedowns.md explains it.

Exit status: 0 when the beat has changed; 1 otherwise, and then nothing has changed.`;

/** `beats takedown` and `beats restore`: removes one beat from every list, page and sale, and puts it back. */
export function takedownCommands(beats: Command): void {
  beats
    .command("takedown")
    .description(
      "Take one beat off sale and off every list and page. Buyers keep what they bought. Its producer gets a mail with the reason, and can answer.",
    )
    .argument("<id>", "the beat, by the number in its address")
    .requiredOption("--reason <text>", "why, as a sentence for its producer")
    .option("--withdraw-files", "stop downloads of its files by buyers, who each get a mail with the reason")
    .option("--json", "print JSON")
    .addHelpText("after", help)
    .action((id: string, options: Options & { withdrawFiles?: true }) =>
      withDatabase(async ({ query: db }, { publicUrl }) => {
        const beatId = readId(id);
        const withdrawFiles = options.withdrawFiles === true;
        const { taken_down_at, reason } = await takeDownBeat(
          { db, clock: systemClock, publicUrl },
          { beatId, reason: options.reason, withdrawFiles, author: "operator" },
        );
        printResult(
          options.json,
          {
            beat_id: beatId,
            taken_down: true,
            files_withdrawn: withdrawFiles,
            reason,
            at: wholeSecondsUtc(taken_down_at),
          },
          `Beat ${beatId} is taken down. ${withdrawFiles ? "Its buyers cannot download its files any more." : "Its buyers keep what they bought."} \`beatmarket beats restore ${beatId} --reason "…"\` undoes it.`,
        );
      }),
    );

  beats
    .command("restore")
    .description("End a takedown: the beat gets the state that it would have without it. Its producer gets a mail.")
    .argument("<id>", "the beat, by the number in its address")
    .requiredOption("--reason <text>", "why, as a sentence for its producer")
    .option("--json", "print JSON")
    .addHelpText("after", help)
    .action((id: string, options: Options) =>
      withDatabase(async ({ query: db }, { publicUrl }) => {
        const beatId = readId(id);
        const request = { beatId, reason: options.reason, author: "operator" } as const;
        await restoreBeat({ db, clock: systemClock, publicUrl }, request);
        printResult(options.json, { beat_id: beatId, taken_down: false }, `The takedown of beat ${beatId} has ended.`);
      }),
    );
}

function readId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new OperatorError(`${text} is not a beat. Give its number, which its address ends in: /beats/12.`);
  return Number(text);
}
