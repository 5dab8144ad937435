import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { isTemplateName, namesOf, type TemplateName, templateNames, templates } from "./templates.ts";

export type TemplateTexts = Readonly<Record<TemplateName, string>>;

const builtIn = Object.fromEntries(templateNames.map((name) => [name, templates[name].text])) as Record<
  TemplateName,
  string
>;
const maxBytes = 65_536;

/**
 * The texts of all templates: those of the folder MAIL_TEMPLATES, `NAME.md`, and ours for the others. Throws an OperatorError that
 * names the file and what it takes.
 */
export async function openTemplates(folder: string | undefined): Promise<TemplateTexts> {
  if (folder === undefined) return builtIn;
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `MAIL_TEMPLATES is ${folder}, which cannot be read (${error.code}). It takes a folder of NAME.md.`,
    );
  });
  const texts = { ...builtIn };
  for (const file of files.filter((each) => each.endsWith(".md"))) {
    const name = file.slice(0, -".md".length);
    if (!isTemplateName(name))
      throw new OperatorError(`${join(folder, file)} replaces no mail. The mails are ${templateNames.join(", ")}.`);
    texts[name] = readTemplate(join(folder, file), name, await readFile(join(folder, file)));
  }
  return texts;
}

function readTemplate(file: string, name: TemplateName, bytes: Buffer): string {
  if (bytes.length > maxBytes)
    throw new OperatorError(`${file} has ${bytes.length} bytes; it takes at most ${maxBytes}.`);
  const text = bytes.toString("utf8").replaceAll("\r\n", "\n").trim();
  if (!/^# +\S/.test(text))
    throw new OperatorError(`${file} begins with no subject, such as "# Your receipt from {site}".`);
  const names = namesOf(name);
  const unknown = [...text.matchAll(/\{([^{}\n]*)\}/g)].find(([, each = ""]) => !names.includes(each));
  if (unknown !== undefined)
    throw new OperatorError(
      `${file} has ${unknown[0]}, which nothing fills in. It takes ${names.map((each) => `{${each}}`).join(", ")}.`,
    );
  return text;
}
