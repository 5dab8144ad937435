import { accountTemplates } from "./account-templates.ts";
import { buyerTemplates } from "./buyer-templates.ts";
import { operatorTemplates } from "./operator-templates.ts";
import { producerTemplates } from "./producer-templates.ts";

/** All mails, by name. An operator's folder may replace the text of each. */
export const templates = {
  ...accountTemplates,
  ...buyerTemplates,
  ...producerTemplates,
  ...operatorTemplates,
} as const;

export type TemplateName = keyof typeof templates;

export const templateNames = Object.keys(templates) as TemplateName[];

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(templates, name);

/** What a template may name. */
export const namesOf = (name: TemplateName): string[] => ["site", ...Object.keys(templates[name].sample)];
