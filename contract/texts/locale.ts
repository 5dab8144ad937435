import type { English } from "./en/index.ts";
import { type Language, languages } from "./languages.ts";
import type { Names, Text, Texts } from "./text.ts";

/** The maximum number of cached formatters of dates. Each time zone has separate ones. */
const maxFormatters = 200;

const kilobyte = { fromBytes: 0, divisor: 1e3, unit: "kB" };
/** The units above kB, largest first. A size that would be rounded to 1,000 of a unit has the next larger unit. */
const sizeUnits = [
  { fromBytes: 999_500_000, divisor: 1e9, unit: "GB" },
  { fromBytes: 999_500, divisor: 1e6, unit: "MB" },
];

type Values<Written> = Readonly<Record<Names<Written>, string | number>>;
type TextArguments<Written> = [Names<Written>] extends [never] ? [] : [Values<Written>];

/**
 * Texts, numbers, amounts and dates in one language. `Written` is the type of the English texts, either of the public
 * pages or of the portal.
 */
export class Locale<Written extends Texts = English> {
  readonly language: Language;
  /** The locale of dates and lists, such as en-GB. */
  readonly region: string;
  readonly #texts: Texts;
  readonly #plurals: Intl.PluralRules;
  /** Formatters by their options. Creating a formatter takes longer than formatting many texts. */
  readonly #numbers = new Map<string, Intl.NumberFormat>();
  readonly #moments = new Map<string, Intl.DateTimeFormat>();

  constructor(language: Language, texts: Texts) {
    this.language = language;
    this.#texts = texts;
    this.#plurals = new Intl.PluralRules(language);
    this.region = languages[language].region;
  }

  /**
   * A text with values in place of the placeholders. Strings are inserted unchanged, so for HTML the caller escapes
   * them.
   */
  t<Key extends keyof Written & string>(key: Key, ...[values]: TextArguments<Written[Key]>): string {
    const placeholders: Readonly<Record<string, string | number>> = values ?? {};
    return this.form(key, Number(placeholders.count)).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = placeholders[name];
      return typeof value === "number" ? this.number(value) : (value ?? placeholder);
    });
  }

  /** A text with its placeholders, in the plural form for `count`. */
  form(key: keyof Written & string, count = 0): string {
    const text = this.#texts[key] as Text;
    return typeof text === "string" ? text : (text[this.#plurals.select(count)] ?? text.other);
  }

  /** The texts of these keys, with their placeholders. */
  written(keys: readonly (keyof Written & string)[]): Texts {
    return Object.fromEntries(keys.map((key) => [key, this.#texts[key] as Text]));
  }

  /** A label such as "Premium" in the form for the middle of a sentence. */
  inSentence(label: string): string {
    return languages[this.language].hasCapitalNouns ? label : label.toLowerCase();
  }

  number(value: number, options: Intl.NumberFormatOptions = {}): string {
    const key = JSON.stringify(options);
    const format = this.#numbers.get(key) ?? new Intl.NumberFormat(this.language, options);
    this.#numbers.set(key, format);
    return format.format(value);
  }

  /** A price with the usual digits of the currency: $29.90. */
  price(amount: number, currency: string): string {
    return this.number(amount, { style: "currency", currency });
  }

  /** Integer cents with their currency (ISO 4217): 29.90 USD. */
  amount(cents: number, currency: string): string {
    const options = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false };
    return `${this.number(cents / 100, options)} ${currency}`;
  }

  /** A share in hundredths of a percent: 12.5 %. */
  percent(basisPoints: number): string {
    return `${this.number(basisPoints / 100, { maximumFractionDigits: 2 })} %`;
  }

  /** A size in powers of 1000, like in file managers. */
  size(bytes: number): string {
    const { divisor, unit } = sizeUnits.find(({ fromBytes }) => bytes >= fromBytes) ?? kilobyte;
    const size = bytes / divisor;
    return `${this.number(size, { maximumFractionDigits: size >= 99.95 ? 0 : 1 })} ${unit}`;
  }

  /** A day: 26 November 2026. */
  day(at: Date, timeZone = "UTC"): string {
    return this.#moment(at, { day: "numeric", month: "long", year: "numeric", timeZone });
  }

  /** A time with the name of the zone: 13:00 CET. */
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
