import type { English } from "./en/index.ts";
import { type Language, languages } from "./languages.ts";
import type { Names, Text, Texts } from "./text.ts";

/** Each time zone in use has formatters of its own. */
const maxFormatters = 200;

type Values<Written> = Readonly<Record<Names<Written>, string | number>>;
type Given<Written> = [Names<Written>] extends [never] ? [] : [Values<Written>];

/** Texts, numbers, amounts and dates of one language. `Written` are the English texts: those of public pages, or of the portal. */
export class Locale<Written extends Texts = English> {
  readonly language: Language;
  /** How dates are written, such as en-GB. */
  readonly region: string;
  readonly #texts: Texts;
  readonly #plurals: Intl.PluralRules;
  /** By their options: making one takes longer than many texts. */
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  readonly #moments = new Map<string, Intl.DateTimeFormat>();

  constructor(language: Language, texts: Texts) {
    this.language = language;
    this.#texts = texts;
    this.#plurals = new Intl.PluralRules(language);
    this.region = languages[language].region;
  }

  /** A text with its values filled in. Strings are inserted as they are: for HTML they are escaped before. */
  t<Key extends keyof Written & string>(key: Key, ...[values]: Given<Written[Key]>): string {
    const given: Readonly<Record<string, string | number>> = values ?? {};
    return this.form(key, Number(given.count)).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = given[name];
      return typeof value === "number" ? this.number(value) : (value ?? whole);
    });
  }

  /** A text as it is written, with its placeholders: the form for `count`, if it has several. */
  form(key: keyof Written & string, count = 0): string {
    const text = this.#texts[key] as Text;
    return typeof text === "string" ? text : (text[this.#plurals.select(count)] ?? text.other);
  }

  /** The texts of these keys as they are written, for another place to fill in. */
  written(keys: readonly (keyof Written & string)[]): Texts {
    return Object.fromEntries(keys.map((key) => [key, this.#texts[key] as Text]));
  }

  /** A label, such as "Premium", as it stands within a sentence. */
  inSentence(label: string): string {
    return languages[this.language].hasCapitalNouns ? label : label.toLowerCase();
  }

  number(value: number, options: Intl.NumberFormatOptions = {}): string {
    const key = JSON.stringify(options);
    const format = this.#numbers.get(key) ?? new Intl.NumberFormat(this.language, options);
    this.#numbers.set(key, format);
    return format.format(value);
  }

  /** In the currency's own digits after the point: $29.90. */
  price(amount: number, currency: string): string {
    return this.number(amount, { style: "currency", currency });
  }

  /** Integer cents with their currency (ISO 4217): 29.90 USD. */
  amount(cents: number, currency: string): string {
    const options = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false };
    return `${this.number(cents / 100, options)} ${currency}`;
  }

  /** A part in hundredths of a percent: 12.5 %. */
  percent(basisPoints: number): string {
    return `${this.number(basisPoints / 100, { maximumFractionDigits: 2 })} %`;
  }

  /** As file managers show it, in powers of 1000. */
  size(bytes: number): string {
    const [divisor, unit] = bytes >= 999_500_000 ? [1e9, "GB"] : bytes >= 999_500 ? [1e6, "MB"] : [1e3, "kB"];
    const size = bytes / divisor;
    return `${this.number(size, { maximumFractionDigits: size >= 99.95 ? 0 : 1 })} ${unit}`;
  }

  /** 26 November 2026. */
  day(at: Date, timeZone = "UTC"): string {
    return this.#moment(at, { day: "numeric", month: "long", year: "numeric", timeZone });
  }

  /** With the name of the zone: 13:00 CET. */
  time(at: Date, timeZone = "UTC"): string {
    const options = { hour: "2-digit", minute: "2-digit", timeZone, timeZoneName: "short" } as const;
    return this.#moment(at, options);
  }

  #moment(at: Date, options: Intl.DateTimeFormatOptions): string {
    const key = JSON.stringify(options);
    const format = this.#moments.get(key) ?? new Intl.DateTimeFormat(this.region, options);
    if (this.#moments.size === maxFormatters) this.#moments.clear();
    this.#moments.set(key, format);
    return format.format(at);
  }

  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.region).format(items);
  }
}
