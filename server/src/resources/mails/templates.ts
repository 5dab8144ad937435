import type { MailName } from "../../../../contract/texts/mails.ts";
import { accountTemplates } from "./account-templates.ts";
import { buyerTemplates } from "./buyer-templates.ts";
import { operatorTemplates } from "./operator-templates.ts";
import { producerTemplates } from "./producer-templates.ts";
import type { Template } from "./template.ts";

/** All mails, by name. An operator's folder may replace the text of each. */
export const templates = {
  ...accountTemplates,
  ...buyerTemplates,
  ...producerTemplates,
  ...operatorTemplates,
} as const satisfies Record<MailName, Template>;

export type TemplateName = MailName;

export const templateNames = Object.keys(templates) as TemplateName[];

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(templates, name);

/** The names that a template may use. */
export const namesOf = (name: TemplateName): string[] => ["site", ...Object.keys(templates[name].sample)];
