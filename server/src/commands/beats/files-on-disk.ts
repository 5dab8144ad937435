import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { CsvReader, detectDelimiter, separatorLine } from "@beatmarket/tabular-files/csv.ts";
import { type FieldTexts, type FilesOnDisk, textFieldNames } from "../../resources/beats/from-disk/publish-file.ts";

/**
 * The path as this disk spells it: macOS stores accents separately from their letters (NFD). Null if no file matches,
 * or more than one.
 */
async function existingPath(path: string): Promise<string | null> {
  if ((await stat(path).catch(() => null)) !== null) return path;
  if (dirname(path) === path) return null;
  const folder = await existingPath(dirname(path));
  if (folder === null) return null;
  const composed = basename(path).normalize("NFC");
  const [same, ...others] = (await namesIn(folder)).filter((name) => name.normalize("NFC") === composed);
  return same === undefined || others.length > 0 ? null : join(folder, same);
}

async function missingMessage(path: string): Promise<string> {
  const name = basename(path);
  const names = await namesIn(dirname(path));
  const suggestion = names.find((other) => other.startsWith(`${name}.`)) ?? nearestName(name, names);
  return `There is no file ${path}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The error for a row whose file does not exist or cannot be read. */
export class MissingFile extends Error {}

/** The files of a beat by their paths. Throws a MissingFile if one of them does not exist or is not a file. */
export async function filesOf({
  audio,
  cover,
  stems,
}: {
  audio: string;
  cover?: string;
  stems?: string;
}): Promise<FilesOnDisk> {
  const fileAt = async (named: string) => {
    const path = (await existingPath(named)) ?? named;
    const stats = await stat(path).catch(async (error: NodeJS.ErrnoException) => {
      throw new MissingFile(error.code === "ENOENT" ? await missingMessage(named) : `${named}: ${error.message}.`);
    });
    if (!stats.isFile()) throw new MissingFile(`${path} is not a file.`);
    return { path, filename: basename(path).normalize("NFC"), bytes: stats.size };
  };
  return {
    audio: await fileAt(audio),
    ...(cover !== undefined && { cover: await fileAt(cover) }),
    ...(stems !== undefined && { stems: await fileAt(stems) }),
  };
}

/** The columns that name files. Their paths are relative to the folder that `beats publish` got. */
const fileColumns = ["file", "cover", "stems"] as const;
const columns: readonly string[] = [...fileColumns, ...textFieldNames];

export interface TitlesRow {
  line: number;
  /** The row's mistake, as a sentence; null for a readable row. */
  problem: string | null;
  files: Partial<Record<(typeof fileColumns)[number], string>>;
  text: FieldTexts;
}

/**
 * Reads the CSV file of `beats publish --csv`: UTF-8 with a header, separated by commas, semicolons or tabs. Throws an
 * OperatorError if the file cannot be read or its header is invalid.
 */
export async function readTitles(path: string): Promise<TitlesRow[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`The file ${path} cannot be read: ${error.message}.`);
  });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError(`The file ${path} is not UTF-8; save it as CSV in UTF-8.`);
  }
  const { delimiter, rest } = separatorLine(text);
  const firstLine = rest.split(/[\r\n]/)[0] ?? "";
  const form = { delimiter: delimiter ?? detectDelimiter(firstLine, '"'), quote: '"' };
  const reader = new CsvReader(form, delimiter === null ? 1 : 2);
  const [header, ...rows] = [...reader.push(rest), ...reader.end()];
  if (header === undefined) throw new OperatorError(`The file ${path} is empty.`);
  if (header.problem !== null) throw new OperatorError(`The header of ${path} cannot be read: ${header.problem}.`);
  const names = header.values.map((name) => name.trim().toLowerCase());
  requireKnown(path, names);
  return rows.map((row) => {
    const hasWrongLength = row.problem === null && row.values.length !== names.length;
    const cells = Object.fromEntries(names.map((name, index) => [name, row.values[index]?.trim() ?? ""]));
    const { file, cover, stems, ...fields } = cells;
    return {
      line: row.line,
      problem: hasWrongLength
        ? `The row has ${row.values.length} columns, the header has ${names.length}.`
        : row.problem && `${row.problem.charAt(0).toUpperCase()}${row.problem.slice(1)}.`,
      files: {
        ...(file !== undefined && { file }),
        ...(cover !== undefined && { cover }),
        ...(stems !== undefined && { stems }),
      },
      text: fields,
    };
  });
}

function requireKnown(path: string, names: readonly string[]): void {
  const unknown = names.find((name) => !columns.includes(name));
  if (unknown !== undefined) {
    const suggestion = nearestName(unknown, columns);
    const hint = suggestion === undefined ? ` Known columns: ${columns.join(", ")}.` : ` Did you mean ${suggestion}?`;
    throw new OperatorError(`${path} has an unknown column ${JSON.stringify(quoted(unknown))}.${hint}`);
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new OperatorError(`${path} has more than one column ${repeated}.`);
  if (!names.includes("file"))
    throw new OperatorError(
      `${path} has no column file. Its first row names the columns, such as file,title,genre,price.`,
    );
}
