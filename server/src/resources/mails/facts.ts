import { type Facts, type RenderedMail, renderTemplate } from "@beatmarket/mail/render-template.ts";
import type { English } from "../../../../contract/texts/en/index.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import type { Names } from "../../../../contract/texts/text.ts";
import type { MailBrand } from "../../site-settings.ts";

/** The key of a text in `contract/texts`, with its values. */
type TextFact = {
  [Key in keyof English]: [Names<English[Key]>] extends [never]
    ? { text: Key }
    : { text: Key; values: Readonly<Record<Names<English[Key]>, string>> };
}[keyof English];

/** A value that becomes text when the mail is sent, in the language of the mail and in the time zone of its reader. */
export type LocalFact =
  | TextFact
  | { cents: number; currency: string }
  | { basisPoints: number }
  /** ISO 8601. */
  | { moment: string };

/** The facts of a queued mail: fixed texts, and values that depend on the reader. */
export type QueuedFacts = Readonly<Record<string, Facts[string] | LocalFact>>;

/** Returns a time with the name of its zone, such as "26 November 2026 at 13:00 CET". An unknown zone means UTC. */
export const momentText = (locale: Locale, time: Date, zone: string | null | undefined): string =>
  locale.t("mail.moment", { day: locale.day(time, zone ?? "UTC"), time: locale.time(time, zone ?? "UTC") });

/** Returns the facts as texts for a reader. */
export const localized = (facts: QueuedFacts, locale: Locale, zone: string | null): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === "string" || isList(fact) ? fact : factText(fact, locale, zone),
    ]),
  );

const isList = (fact: QueuedFacts[string]): fact is readonly string[] => Array.isArray(fact);

function factText(fact: LocalFact, locale: Locale, zone: string | null): string {
  if ("moment" in fact) return momentText(locale, new Date(fact.moment), zone);
  if ("cents" in fact) return locale.amount(fact.cents, fact.currency);
  if ("basisPoints" in fact) return locale.percent(fact.basisPoints);
  return textOf(fact, locale);
}

const textOf = <Key extends keyof English>(fact: { text: Key; values?: object }, locale: Locale): string =>
  (locale.t as (key: Key, values: object) => string).call(locale, fact.text, fact.values ?? {});

export interface Template {
  /** The recipient and the occasion, for operators. */
  description: string;
  /** The facts of the preview. A text may use only the names of these facts, and `site`. */
  sample: QueuedFacts;
  /** Whether the mail is optional, so that its reader can unsubscribe from it. */
  isOptional?: true;
}

// Invented facts that several previews of mails share.

export const libraryLink = "https://beats.example/library/1.mguq3c00.5Zk0t1vXQmJ8bN4yR7wD2eLh9uPfS6aGcTiVxEoKjMs";
/** The facts that most mails about an order contain. */
export const sampleOrder = {
  order: "1042",
  title: "Midnight Lantern",
  license: "premium",
  amount: { cents: 5_990, currency: "USD" },
  at: { moment: "2026-11-26T12:00:00Z" },
} as const;

/** The facts of a report about the beat of `sampleOrder`. */
export const sampleReport = {
  beat: "7",
  title: sampleOrder.title,
  producer: "Nightowl",
  reason: { text: "report.sample" as const },
  message: "The hook is from my record of 2019, at 0:42.",
} as const;

/**
 * Fills in a template and puts it into the frame of all mails. Without `timeZone`, moments are in UTC. `unsubscribeUrl`
 * is for optional mails.
 */
export const renderMail = (
  template: string,
  facts: QueuedFacts,
  {
    locale,
    timeZone = null,
    brand,
    unsubscribeUrl: url,
  }: { locale: Locale; timeZone?: string | null; brand: MailBrand; unsubscribeUrl: string | null },
): RenderedMail =>
  renderTemplate(
    template,
    { ...localized(facts, locale, timeZone), site: brand.site },
    {
      language: locale.language,
      site: brand.site,
      logoUrl: brand.logoUrl,
      footer: brand.footer,
      links: brand.links.map(({ slug, url }) => ({ name: locale.t(`legal.${slug}`), url })),
      unsubscribe:
        url === null
          ? null
          : { url, name: locale.t("preferences.switchOff"), line: locale.t("mail.switchOff", { url }) },
    },
  );
