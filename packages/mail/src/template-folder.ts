import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** The texts of all templates, by language and name. */
export type TemplateTexts<Name extends string, Language extends string> = Readonly<
  Record<Language, Readonly<Record<Name, string>>>
>;

/** The mails of a program, whose texts an operator may replace. */
export interface MailCatalogue<Name extends string, Language extends string> {
  builtIn: TemplateTexts<Name, Language>;
  /** The facts that the text of a mail may contain. */
  factsOf(name: Name): readonly string[];
}

const maxBytes = 65_536;

/**
 * Returns the texts of all templates: the folder's text if it has one, else the built-in text. `NAME.md` is for all
 * languages, `de/NAME.md` for German. Throws an OperatorError that names the invalid file and its expected content. If
 * the folder cannot be read, the error names the `setting`.
 */
export async function openTemplateFolder<Name extends string, Language extends string>(
  { folder, setting }: { folder: string; setting: string },
  catalogue: MailCatalogue<Name, Language>,
): Promise<TemplateTexts<Name, Language>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `${setting} is ${folder}, which cannot be read (${error.code}). It takes a folder of NAME.md.`,
    );
  });
  const textsForAll = await readFolder(folder, names, catalogue);
  const texts: Record<Language, Readonly<Record<Name, string>>> = { ...catalogue.builtIn };
  for (const language of Object.keys(catalogue.builtIn) as Language[]) {
    const languageFolder = join(folder, language);
    const textsForLanguage = names.includes(language)
      ? await readFolder(languageFolder, await readdir(languageFolder), catalogue)
      : {};
    texts[language] = { ...catalogue.builtIn[language], ...textsForAll, ...textsForLanguage };
  }
  return texts;
}

async function readFolder<Name extends string>(
  folder: string,
  files: readonly string[],
  { builtIn, factsOf }: MailCatalogue<Name, string>,
): Promise<Partial<Record<Name, string>>> {
  const known = Object.keys(Object.values<Record<Name, string>>(builtIn)[0] ?? {}) as Name[];
  const texts: Partial<Record<Name, string>> = {};
  for (const file of files.filter((each) => each.endsWith(".md"))) {
    const name = known.find((each) => `${each}.md` === file);
    if (name === undefined)
      throw new OperatorError(`${join(folder, file)} replaces no mail. The mails are ${known.join(", ")}.`);
    texts[name] = readTemplate(join(folder, file), factsOf(name), await readFile(join(folder, file)));
  }
  return texts;
}

function readTemplate(file: string, facts: readonly string[], bytes: Buffer): string {
  if (bytes.length > maxBytes)
    throw new OperatorError(`${file} has ${bytes.length} bytes; it takes at most ${maxBytes}.`);
  const text = bytes.toString("utf8").replaceAll("\r\n", "\n").trim();
  if (!/^# +\S/.test(text))
    throw new OperatorError(`${file} does not begin with a subject, such as "# Your receipt from {site}".`);
  const unknown = [...text.matchAll(/\{([^{}\n]*)\}/g)].find(([, each = ""]) => !facts.includes(each));
  if (unknown !== undefined)
    throw new OperatorError(
      `${file} has ${unknown[0]}, which nothing fills in. It takes ${facts.map((each) => `{${each}}`).join(", ")}.`,
    );
  return text;
}
