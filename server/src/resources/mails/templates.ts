import type { MailName } from "../../../../contract/texts/mails.ts";
import { accountTemplates } from "./account-templates.ts";
import { buyerTemplates } from "./buyer-templates.ts";
import { sampleOrder, sampleReport, type Template } from "./facts.ts";
import { producerTemplates } from "./producer-templates.ts";

/** Mails to operators, by name. */
const operatorTemplates = {
  "takedown-answered": {
    description: "To all operators, when a producer answers a takedown.",
    sample: {
      beat: "7",
      title: sampleOrder.title,
      producer: "Nightowl",
      reason: "The sample of the hook was not cleared.",
      message: "The hook is mine: I played it on my own guitar, and have the session.",
      link: "https://beats.example/portal/admin/beats?q=7",
    },
  },
  "report-to-review": {
    description: "To all operators, when a beat is reported.",
    sample: { ...sampleReport, link: "https://beats.example/portal/admin/reports?beat=7" },
  },
  "report-countered": {
    description: "To all operators, when a producer counters a report.",
    sample: {
      ...sampleReport,
      counter: "The hook is mine: I played it on my own guitar.",
      until: { moment: "2026-12-24T12:00:00Z" },
      link: "https://beats.example/portal/admin/reports?beat=7",
    },
  },
  "dispute-opened": {
    description: "To operators, when a buyer's bank takes a payment back.",
    sample: { ...sampleOrder, reason: "fraudulent", link: "https://beats.example/portal/admin/orders/1042" },
  },
  "limits-requested": {
    description: "To operators, when an account asks for a higher plan of an API key.",
    sample: {
      account: "Ada Developer",
      key: "12 (Shop, …x7Qa)",
      present: "standard",
      plan: "plus",
      message: "Our shop opens on Monday. We expect 50 calls a minute.",
      link: "https://beats.example/portal/admin/accounts/7",
    },
  },
  "refund-to-decide": {
    description: "To operators, when a buyer asks for the money back.",
    sample: {
      order: sampleOrder.order,
      title: sampleOrder.title,
      amount: sampleOrder.amount,
      reason: { text: "refund.files" },
      message: "The WAV ends after ten seconds.",
      link: "https://beats.example/portal/admin/orders/1042",
    },
  },
} as const satisfies Record<string, Template>;

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

/** Returns the names of the facts that a template may use. */
export const namesOf = (name: TemplateName): string[] => ["site", ...Object.keys(templates[name].sample)];
