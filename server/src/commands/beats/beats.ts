import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import type { Command } from "commander";
import type { Database } from "../../database/connect.ts";
import {
  type BulkOptions,
  countBySource,
  deleteSource,
  genresOfSource,
  relistSource,
  type SourceBeat,
  type SourceCounts,
  sampleOfSource,
  withdrawSource,
} from "../../resources/beats/write/sources.ts";
import { importTime } from "../../resources/catalogue-import/read-beats.ts";
import { deleteBeatlessGenres } from "../../resources/genres/genres.ts";
import { deleteBeatlessProducers } from "../../resources/users/producers.ts";
import { tableText, wholeSecondsUtc } from "../terminal/output.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { confirm, printResult, stopSignal, withDatabase } from "../terminal/run.ts";
import { publishCommand } from "./publish.ts";
import { takedownCommands } from "./takedown.ts";

const sampleSize = 10;

/**
 * `beats publish`, `takedown` and `restore`; and `beats list`, `withdraw`, `relist` and `delete`: the beats of an
 * import, by source.
 */
export function beatsCommand(beats: Command): void {
  beats.addHelpText(
    "after",
    `
Examples:
  beatmarket beats publish dusk.wav --email ana@example.com --title Dusk --genre Trap --price 29.90
  beatmarket beats takedown 12 --reason "The sample of the hook was not cleared."
  beatmarket beats list
  beatmarket beats withdraw --source my-shop
  beatmarket beats delete --source my-shop --withdraw-ordered --yes

The commands with --source change imported beats in batches, also while a server runs. Ctrl-C stops after the current batch,
and the same command continues from there. The change stream has each changed beat (docs/import.md, Undoing an import).`,
  );

  publishCommand(beats);
  takedownCommands(beats);

  beats
    .command("list")
    .description("Count the beats of each source; with --source, also show the newest beats of that source.")
    .option("--source <name>", "the source, as the mapping names it")
    .option("--json", "print JSON")
    .action(({ source, json }: { source?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        if (source === undefined) {
          const sources = await countBySource(query);
          return printResult(json, { sources }, countsText(sources));
        }
        const counts = await requireSource({ query }, source);
        const sample = await sampleOfSource(query, source, sampleSize);
        printResult(json, { ...counts, sample }, `${countsText([counts])}\n\n${sampleText(sample)}`);
      }),
    );

  beats
    .command("withdraw")
    .description("Take the beats of a source off sale. They keep their rows and ids; `beats relist` undoes it.")
    .requiredOption("--source <name>", "the source, as the mapping names it")
    .option("--json", "print JSON")
    .action((options: BulkArguments) =>
      inBulk(options, async (database, bulk) => {
        const { withdrawn, held } = await withdrawSource(database.query, options.source, bulk);
        return {
          result: { withdrawn, held },
          text: `${thousands(withdrawn)} beats of ${options.source} are withdrawn.${heldBeatsText(held)}`,
        };
      }),
    );

  beats
    .command("relist")
    .description("Put the withdrawn beats of a source back on sale. Sold ones stay sold.")
    .requiredOption("--source <name>", "the source, as the mapping names it")
    .option("--json", "print JSON")
    .action((options: BulkArguments) =>
      inBulk(options, async (database, bulk) => {
        const relisted = await relistSource(database.query, options.source, bulk);
        return { result: { relisted }, text: `${thousands(relisted)} beats of ${options.source} are back on sale.` };
      }),
    );

  beats
    .command("delete")
    .description("Delete the beats of a source, and producers and genres that are left without any beat.")
    .requiredOption("--source <name>", "the source, as the mapping names it")
    .option("--withdraw-ordered", "withdraw beats that orders refer to, which cannot be deleted, and delete the others")
    .option("--yes", "do not ask")
    .option("--json", "print JSON")
    .action((options: BulkArguments & { withdrawOrdered?: true; yes?: true }) =>
      inBulk(
        options,
        async (database, bulk) => {
          const genreIds = await genresOfSource(database.query, options.source);
          const { deleted, kept, held } = await deleteSource(database.query, options.source, bulk);
          const producers = await deleteBeatlessProducers(database.query);
          const genres = await deleteBeatlessGenres(database.query, genreIds);
          const also = `${thousands(producers)} producers and ${thousands(genres)} genres without beats`;
          const keeping =
            kept === 0
              ? ""
              : ` ${thousands(kept - held)} that orders refer to are withdrawn instead.${heldBeatsText(held)}`;
          return {
            result: { deleted, withdrawn: kept - held, held, producers_deleted: producers, genres_deleted: genres },
            text: `${thousands(deleted)} beats of ${options.source} are deleted, and ${also}.${keeping}`,
          };
        },
        async ({ source, beats: count, ordered }) => {
          if (ordered > 0 && options.withdrawOrdered !== true)
            throw new OperatorError(
              `Orders refer to ${thousands(ordered)} of the ${thousands(count)} beats of ${source}, which cannot be deleted. Add --withdraw-ordered to withdraw these and delete the others.`,
            );
          await confirm(`Delete ${thousands(count - ordered)} beats of ${source}? This cannot be undone.`, options.yes);
        },
      ),
    );
}

const heldBeatsText = (count: number): string =>
  count === 0
    ? ""
    : ` ${thousands(count)} stay on sale, since a buyer is paying for their exclusive license: repeat the command in 15 minutes.`;

interface BulkArguments {
  source: string;
  json?: true;
}

/** Runs a change of many beats with a progress bar, until a signal. `check` may refuse the change. */
const inBulk = (
  { source, json }: BulkArguments,
  work: (database: Database, bulk: BulkOptions) => Promise<{ result: object; text: string }>,
  check: (counts: SourceCounts) => Promise<void> = async () => {},
): Promise<void> =>
  withDatabase(async (database) => {
    const counts = await requireSource(database, source);
    await check(counts);
    const stop = new AbortController();
    void stopSignal().then(() => stop.abort());
    const bar = progressBar("{bar} {percentage}% | {beats} beats | {eta_formatted} left", counts.beats, { beats: "0" });
    const onProgress = (count: number) => bar.show(count, { beats: thousands(count) });
    const { result, text } = await work(database, {
      now: importTime(systemClock),
      signal: stop.signal,
      onProgress,
    }).finally(bar.end);
    printResult(json, result, text);
    if (stop.signal.aborted)
      throw new OperatorError("Stopped before the last beat; the same command continues from there.");
  });

/** If no beat has the source, throws an OperatorError that lists the existing sources. */
async function requireSource({ query }: Pick<Database, "query">, source: string): Promise<SourceCounts> {
  const [counts] = await countBySource(query, source);
  if (counts !== undefined) return counts;
  const names = (await countBySource(query)).flatMap((group) => group.source ?? []);
  throw new OperatorError(
    `No beat has the source ${source}. ${names.length === 0 ? "No import has made any." : `Sources are ${names.join(", ")}.`}`,
  );
}

const countsText = (sources: readonly SourceCounts[]): string =>
  tableText([
    ["SOURCE", "BEATS", "LISTED", "WITHDRAWN", "SOLD", "WITH ORDERS"],
    ...sources.map(({ source, beats, listed, withdrawn, sold, ordered }) => [
      source ?? "(not imported)",
      ...[beats, listed, withdrawn, sold, ordered].map(thousands),
    ]),
  ]);

const sampleText = (sample: readonly SourceBeat[]): string =>
  tableText([
    ["ID", "EXTERNAL ID", "TITLE", "PRODUCER", "GENRE", "STATE", "UPDATED"],
    ...sample.map((beat) => [
      String(beat.id),
      beat.external_id,
      beat.title,
      beat.producer_name,
      beat.genre_name,
      beat.state,
      wholeSecondsUtc(beat.updated_at) ?? "",
    ]),
  ]);
