import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { builtInPhrases, builtInTerms } from "./built-in.ts";
import { type Clause, clauses } from "./clauses.ts";
import { type LicenseType, licenseTypes } from "./license-types.ts";
import { findLimitProblem, highestLimit, limitsOf, type TypeBounds } from "./limits.ts";
import type { TermsLimits } from "./phrases.ts";
import { limitedLine, withLimits } from "./phrases.ts";
import type { Terms, TermsText } from "./terms.ts";
import { clausesIn, markedClauses, readBlocks, termsNames, unknownMark, withoutMarks } from "./terms-text.ts";

const maxBytes = 65_536;
const maxTitleLength = 80;
const versionFile = "version.txt";
const limitsFile = "limits.json";
const limitedName = limitedLine.slice(1, -1);

/**
 * Reads `version.txt`, the texts (`basic.md`, `premium.md`, `unlimited.md` and `exclusive.md`), and `limits.json`,
 * which has the limits that the texts show. With `limits.json` and without texts, the terms have the built-in texts.
 * Throws an OperatorError that names the invalid file and its expected content.
 */
export async function readTermsFolder(folder: string): Promise<Terms> {
  const version = (await readText(folder, versionFile)).trim();
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(version))
    throw new OperatorError(
      `${join(folder, versionFile)} takes one version such as 2027-01: letters, digits, dots, hyphens and underscores, at most 64.`,
    );
  const names = await readdir(folder);
  const limits = names.includes(limitsFile)
    ? readLimits(join(folder, limitsFile), await readText(folder, limitsFile))
    : null;
  const hasTexts = limits === null || licenseTypes.some((type) => names.includes(`${type}.md`));
  const texts = await Promise.all(
    licenseTypes.map(async (type) => {
      const writtenTerms = hasTexts ? await readTermsText(folder, type, limits !== null) : builtInTerms.texts[type];
      return [type, fillIn(writtenTerms, limits?.[type] ?? null)] as const;
    }),
  );
  return { version, texts: Object.fromEntries(texts) as Record<LicenseType, TermsText> };
}

type WrittenTerms = Pick<TermsText, "title" | "template" | "clauses">;

function fillIn({ title, template, clauses }: WrittenTerms, limits: TermsLimits | null): TermsText {
  const text = template ?? "";
  return limits === null
    ? { title, text, template: null, limits, clauses }
    : { title, text: withLimits(text, limits.phrases, limitsOf(limits.bounds)), template: text, limits, clauses };
}

async function readTermsText(folder: string, type: LicenseType, hasLimits: boolean): Promise<WrittenTerms> {
  const name = `${type}.md`;
  const file = join(folder, name);
  const markedText = (await readText(folder, name)).replaceAll("\r\n", "\n").trim();
  const badMark = unknownMark(markedText);
  if (badMark !== undefined)
    throw new OperatorError(
      `${file} has ${badMark}, which is not a known mark. A mark names one of ${markedClauses.join(", ")}, with yes or no; a number for song and publishing; world, or countries such as DE, AT, for territory; purchase or today for upgrade_price.`,
    );
  const text = withoutMarks(markedText);
  const title = /^# +(.+)/.exec(text)?.[1]?.trim() ?? "";
  if (title === "" || title.length > maxTitleLength)
    throw new OperatorError(
      `${file} does not begin with a title; its first line takes a title such as "# Basic license", of at most ${maxTitleLength} characters.`,
    );
  if (readBlocks(text).length === 0) throw new OperatorError(`${file} has a title only; write the terms below it.`);
  const names: readonly string[] = hasLimits ? [...termsNames, ...clauses, limitedName] : termsNames;
  const unknown = [...text.matchAll(/\{([^{}\n]*)\}/g)].find(([, name = ""]) => !names.includes(name));
  if (unknown !== undefined)
    throw new OperatorError(
      `${file} has ${unknown[0]}, which nothing fills in; it takes ${new Intl.ListFormat("en-GB").format(names.map((name) => `{${name}}`))}${hasLimits ? "" : `, and with ${limitsFile} the limits`}.`,
    );
  return { title, template: text, clauses: clausesIn(markedText) };
}

async function readText(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `LICENSE_TERMS is ${folder}, and ${file} cannot be read (${error.code}). The folder takes ${versionFile}, ${licenseTypes.map((type) => `${type}.md`).join(", ")}.`,
    );
  });
  if (bytes.length > maxBytes)
    throw new OperatorError(`${file} has ${bytes.length} bytes; it takes at most ${maxBytes}.`);
  const text = decodeUtf8(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  if (text === null || /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f]/.test(text))
    throw new OperatorError(`${file} is not plain text; save it as UTF-8 without control characters.`);
  return text;
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const closed = { additionalProperties: false };
const limit = Type.Union([Type.Integer({ minimum: 0, maximum: highestLimit }), Type.Null()]);
const clause = Type.Union([limit, Type.Object({ standard: limit, lowest: limit, highest: limit }, closed)]);
const phrase = Type.Object(
  {
    none: Type.Optional(Type.String()),
    one: Type.Optional(Type.String()),
    limited: Type.String(),
    unlimited: Type.String(),
  },
  closed,
);
const ofEach = <Schema extends typeof clause | typeof phrase>(schema: Schema) =>
  Type.Object(Object.fromEntries(clauses.map((name) => [name, schema])) as Record<Clause, Schema>, closed);

const LimitsFile = Type.Object(
  {
    basic: ofEach(clause),
    premium: ofEach(clause),
    unlimited: ofEach(clause),
    exclusive: ofEach(clause),
    phrases: Type.Optional(ofEach(phrase)),
  },
  closed,
);

/**
 * Reads `limits.json` (docs/licenses.md, Limits of your own). Throws an OperatorError that names the mistake.
 * A higher license must allow more than a lower license. The exclusive license may allow the same.
 */
function readLimits(file: string, text: string): Record<LicenseType, TermsLimits> {
  const json = parseJson(file, text);
  if (!Value.Check(LimitsFile, json)) {
    const [first] = Value.Errors(LimitsFile, json);
    throw new OperatorError(
      `${file} is wrong at ${first?.instancePath || "/"}: ${first?.message ?? "not as described"}. Each license takes ${clauses.join(", ")}: a number, null for any number, or {"standard", "lowest", "highest"}.`,
    );
  }
  const phrases = json.phrases ?? builtInPhrases;
  const termsLimits = (type: LicenseType): TermsLimits => ({ bounds: boundsIn(json[type]), phrases });
  const limits = {
    basic: termsLimits("basic"),
    premium: termsLimits("premium"),
    unlimited: termsLimits("unlimited"),
    exclusive: termsLimits("exclusive"),
  };
  for (const type of licenseTypes)
    for (const name of clauses) {
      const { standard } = limits[type].bounds[name];
      if (limitsOf(limits[type].bounds)[name] !== standard)
        throw new OperatorError(
          `${file}: the standard of ${type}.${name} is not between its lowest and highest number.`,
        );
    }
  const { basic, premium, unlimited, exclusive } = limits;
  const bounds = {
    basic: basic.bounds,
    premium: premium.bounds,
    unlimited: unlimited.bounds,
    exclusive: exclusive.bounds,
  };
  const problem = findLimitProblem(bounds, { unsold_licenses: [], license_limits: {} });
  if (problem !== undefined) throw new OperatorError(`${file}: ${problem.type} ${problem.problem}.`);
  return limits;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${file} is not valid JSON: ${(error as Error).message}.`);
  }
}

const boundsIn = (bounds: Static<typeof LimitsFile>[LicenseType]): TypeBounds =>
  Object.fromEntries(
    clauses.map((name) => {
      const value = bounds[name];
      return [
        name,
        typeof value === "object" && value !== null ? value : { standard: value, lowest: value, highest: value },
      ];
    }),
  ) as unknown as TypeBounds;
