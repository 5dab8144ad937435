import { writeFile } from "node:fs/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { type Command, Option } from "commander";
import { type Language, languageCodes } from "../../../contract/texts/languages.ts";
import { locales } from "../../../contract/texts/locales.ts";
import { readConfig } from "../config.ts";
import { renderMail } from "../resources/mails/facts.ts";
import { openTemplates } from "../resources/mails/folder.ts";
import { isTemplateName, namesOf, templateNames, templates } from "../resources/mails/templates.ts";
import { tableText } from "./terminal/output.ts";
import { printResult, runCommand } from "./terminal/run.ts";

interface PreviewOptions {
  language: Language;
  html?: true;
  json?: true;
  out?: string;
}

/** `mails list` and `mails preview`. */
export function mailsCommand(mails: Command): void {
  mails
    .command("list")
    .description("List all mails, with their recipients and the placeholders of their templates.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      runCommand(async () => {
        const rows = templateNames.map((name) => ({
          name,
          description: templates[name].description,
          placeholders: namesOf(name),
          optional: "isOptional" in templates[name],
        }));
        const table = rows.map(({ name, description, placeholders }) => [
          name,
          description,
          placeholders.map((each) => `{${each}}`).join(" "),
        ]);
        printResult(options.json, rows, tableText([["name", "sent", "fills in"], ...table]));
      }),
    );

  mails
    .command("preview")
    .description("Print a mail with example values, your name, your footer and your templates.")
    .argument("<name>", `one of ${templateNames.join(", ")}`)
    .addOption(new Option("--language <code>", "the language of the mail").choices(languageCodes).default("en"))
    .option("--html", "print the HTML part instead of the text")
    .option("--json", "print JSON: subject, text and html")
    .option("--out <file>", "write the mail to this file instead, for example to open it in a browser")
    .action((name: string, options: PreviewOptions) =>
      runCommand(async () => {
        if (!isTemplateName(name))
          throw new OperatorError(
            `There is no mail ${JSON.stringify(name)}. The mails are ${templateNames.join(", ")}.`,
          );
        const { mails: settings, publicUrl } = readConfig(process.env);
        const texts = await openTemplates(settings.templates);
        const isOptional = "isOptional" in templates[name];
        const mail = renderMail(texts[options.language][name], templates[name].sample, {
          locale: locales[options.language],
          brand: settings.brand,
          unsubscribeUrl: isOptional ? `${publicUrl}/mails/preferences?user=1&signature=example` : null,
        });
        const content = options.html === true ? mail.html : `Subject: ${mail.subject}\n\n${mail.text}`;
        if (options.json === true) printResult(true, mail, "");
        else if (options.out === undefined) process.stdout.write(content);
        else await writeFile(options.out, content);
      }),
    );
}
