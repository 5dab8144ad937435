/** A text, or one for each plural category of the number `count`. `{name}` is a placeholder. */
export type Text = string | Plural;

export type Plural = { readonly other: string } & {
  readonly [Category in Exclude<Intl.LDMLPluralRule, "other">]?: string;
};

export type Texts = Readonly<Record<string, Text>>;

type NamesIn<Written> = Written extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The placeholders of a text. */
export type Names<Written> = Written extends string ? NamesIn<Written> : NamesIn<Written[keyof Written]> | "count";

/** The keys of `English`, each with the same placeholders. */
type CheckedTranslation<English, Translated> = {
  readonly [Key in keyof English]: Key extends keyof Translated
    ? [Names<English[Key]>, Names<Translated[Key]>] extends [Names<Translated[Key]>, Names<English[Key]>]
      ? Text
      : { readonly "has other placeholders than the English text": Names<English[Key]> }
    : Text;
};

/** Declares a translation of `English`. A missing key, an unknown key or a different placeholder does not compile. */
export const translationOf =
  <English extends Texts>() =>
  <const Translated extends Readonly<Record<keyof English, Text>>>(
    texts: Translated &
      CheckedTranslation<English, Translated> &
      Readonly<Record<Exclude<keyof Translated, keyof English>, never>>,
  ): Translated =>
    texts;
