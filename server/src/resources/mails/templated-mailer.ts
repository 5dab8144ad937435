import type { Mailer } from "../../mail/mailer.ts";
import type { TemplatedMailer } from "../../mail/templated-mail.ts";
import type { MailBrand } from "../../site-settings.ts";
import { openTemplates, type TemplateTexts } from "./folder.ts";
import { renderMail } from "./render.ts";
import { isTemplateName } from "./templates.ts";

/** Renders each mail by its template, in the frame of all mails. */
export const templatedMailer = (mailer: Mailer, texts: TemplateTexts, brand: MailBrand): TemplatedMailer => ({
  send: async ({ to, template, facts }) => {
    if (!isTemplateName(template)) throw new Error(`No mail is named ${template}.`);
    await mailer.send({ to, ...renderMail(texts[template], facts, { brand, unsubscribeUrl: null }) });
  },
});

/** With the operator's own texts. Throws an OperatorError as `openTemplates` does. */
export const openTemplatedMailer = async (
  mailer: Mailer,
  { templates, brand }: { templates: string | undefined; brand: MailBrand },
): Promise<TemplatedMailer> => templatedMailer(mailer, await openTemplates(templates), brand);
