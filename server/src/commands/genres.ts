import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { cleanText } from "@beatmarket/tabular-files/cells/clean-text.ts";
import type { Command } from "commander";
import { findMergedGenres, listGenres, type MergedGenres, upsertGenres } from "../resources/genres/genres.ts";
import { tableText } from "./terminal/output.ts";
import { printResult, withDatabase } from "./terminal/run.ts";

const maxNameLength = 100;

/** `genres add`: creates genres. `genres merged`: lists genres that may have beats of other genres. */
export function genresCommand(genres: Command): void {
  genres
    .command("add")
    .description("Add genres, from which producers can choose. An import adds the genres of its rows by itself.")
    .argument("<names...>", "the names; an existing genre stays unchanged")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket genres add Trap "Boom Bap" "R&B"
  beatmarket genres add Drill --json`,
    )
    .action((typedNames: string[], options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const names = typedNames.map(readName);
        const before = new Set((await listGenres(query)).map(({ id }) => id));
        const ids = new Set((await upsertGenres(query, names)).values());
        const genres = (await listGenres(query))
          .filter(({ id }) => ids.has(id))
          .map(({ id, name }) => ({ id, name, is_new: !before.has(id) }));
        const lines = genres.map(({ id, name, is_new }) => `Genre ${id}: ${name}${is_new ? "" : " (existed already)"}`);
        printResult(options.json, { genres }, lines.join("\n"));
      }),
    );

  genres
    .command("merged")
    .description("List genres that may have beats of other genres, because earlier releases merged them.")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket genres merged
  beatmarket genres merged --json

Earlier releases merged genres whose names differ only in a sign at the end of a word (C, C++ and C#), or in a mark of a
script other than Latin, Greek and Cyrillic (ビート and ヒート). This release keeps such genres separate, but does not divide
merged ones. The genre with a star is the oldest of its group. It may have beats of the others, or of genres that do not exist
yet. To divide it, import the file of the beats again: each beat gets the genre in its row. The command changes nothing.`,
    )
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const merged = await findMergedGenres(query);
        printResult(options.json, merged, mergedText(merged));
      }),
    );
}

/** Cleans a name as an import does. Throws an OperatorError for a name that no genre can have. */
function readName(typed: string): string {
  const { text } = cleanText(typed);
  if (text === "" || text.length > maxNameLength)
    throw new OperatorError(
      `${JSON.stringify(typed)} is not a valid name of a genre: a name has 1 to ${maxNameLength} visible characters.`,
    );
  return text;
}

const mergedText = (merged: readonly MergedGenres[]): string =>
  merged.length === 0
    ? "No genre can have beats of another one."
    : tableText([
        ["", "ID", "GENRE", "SLUG", "BEATS"],
        ...merged.flatMap(({ genres, may_hold_others }) =>
          genres.map(({ id, name, slug, beats_count }) => [
            id === may_hold_others ? "*" : "",
            String(id),
            name,
            slug,
            thousands(beats_count),
          ]),
        ),
      ]);
