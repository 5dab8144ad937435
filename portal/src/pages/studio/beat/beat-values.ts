import { locale, t } from "../../../api/locale.ts";
import type { LicenseType } from "../../../display/beats/licenses.ts";
import { licenseLabels } from "../../../display/beats/licenses.ts";
import type { BeatChanges, BeatFields, DraftDefaults, Options, OwnBeat, Upload } from "../studio-queries.ts";
import { type DerivedLicense, derivedLicenses, derivedPrice } from "./prices.ts";

/** The values of a beat's form. */
export interface BeatValues {
  title: string;
  /** The name of the genre; "" before the choice. */
  genre: string;
  tags: string[];
  description: string;
  /** The producer's tempo; null for the measured tempo. */
  bpm: number | null;
  key: string | null;
  /** The basic price in the main unit; null while the field is empty. */
  price: number | null;
  /** The prices of the other licenses; null for a price derived from the basic price. */
  licensePrices: Record<DerivedLicense, number | null>;
  licenses: Record<LicenseType, LicenseValue>;
  freeDownload: boolean;
  /** The ids of uploads; null for no file. */
  audio: string | null;
  cover: string | null;
  stems: string | null;
  /** `default`, `none`, or the id of an upload. */
  previewTag: string;
  /** The scheduled time of publishing in ISO 8601; null if none is scheduled. */
  publishAt: string | null;
}

export interface LicenseValue {
  sold: boolean;
  /** The limits that the producer changed; null means unlimited. */
  limits: Limits;
}
export type Limits = NonNullable<NonNullable<DraftDefaults["license_settings"]["basic"]>["limits"]>;

const licenseTypes = ["basic", "premium", "unlimited", "exclusive"] as const;

/** Creates a value for each of the four licenses. */
const licensesBy = (value: (type: LicenseType) => LicenseValue): BeatValues["licenses"] => ({
  basic: value("basic"),
  premium: value("premium"),
  unlimited: value("unlimited"),
  exclusive: value("exclusive"),
});

const usualPrice = 29.99;
export const maxTitleLength = 200;

/** The values of a new beat's form. */
export const valuesOfUpload = ({ id, said }: Pick<Upload, "id" | "said">, defaults: DraftDefaults): BeatValues => ({
  ...valuesOfDefaults(defaults),
  title: said.title,
  price: defaults.price ?? usualPrice,
  audio: id,
});

/** The values of the form for the producer's defaults. */
export const valuesOfDefaults = ({ license_settings: settings, ...defaults }: DraftDefaults): BeatValues => ({
  title: "",
  genre: defaults.genre ?? "",
  tags: defaults.tags,
  description: "",
  bpm: null,
  key: null,
  price: defaults.price,
  licensePrices: defaults.license_prices,
  licenses: licensesBy((type) => ({ sold: settings[type]?.sold ?? true, limits: settings[type]?.limits ?? {} })),
  freeDownload: defaults.free_download,
  audio: null,
  cover: null,
  stems: null,
  previewTag: defaults.preview_tag,
  publishAt: null,
});

/** The values of an existing beat's form. */
export function valuesOfBeat({ beat, tempo, uploads }: OwnBeat, rule: Options["price_rule"]): BeatValues {
  const settings = beat.license_settings;
  if (settings === undefined) throw new Error("The API shows a producer the settings of each license.");
  const ownPrice = (license: DerivedLicense) => {
    const { price } = settings[license];
    return price === derivedPrice(rule, license, settings.basic.price) ? null : price;
  };
  return {
    title: beat.title,
    genre: beat.genre.name,
    tags: beat.tags,
    description: beat.description,
    bpm: beat.bpm_source === "producer" ? tempo : null,
    key: beat.key_source === "producer" ? beat.key : null,
    price: settings.basic.price,
    licenses: licensesBy((type) => ({ sold: settings[type].sold, limits: settings[type].limits })),
    freeDownload: beat.free_download ?? false,
    licensePrices: {
      premium: ownPrice("premium"),
      unlimited: ownPrice("unlimited"),
      exclusive: ownPrice("exclusive"),
    },
    audio: uploads.audio?.id ?? null,
    cover: uploads.cover?.id ?? null,
    stems: uploads.stems?.id ?? null,
    previewTag: beat.preview_tag ?? "default",
    publishAt: beat.publish_at ?? null,
  };
}

/** The errors by the name of the field; empty for a form that can be sent. */
export function problemsOf({ title, genre, price, licensePrices, licenses }: BeatValues): Record<string, string> {
  return {
    ...(title.trim() === "" && { title: t("studio.giveTheBeatATitle") }),
    ...(genre === "" && { genre: t("studio.chooseAGenre") }),
    ...(price === null && { price: t("studio.basicPriceMissing") }),
    ...(licenseTypes.every((type) => !licenses[type].sold) && {
      license_settings: t("studio.sellAtLeastOneLicense"),
    }),
    ...Object.fromEntries(derivedLicenses.flatMap((license) => priceProblem(license, licensePrices[license], price))),
  };
}

/** The error of a license's price. Only the premium license may cost 0, and a basic price of 0 derives no prices. */
function priceProblem(license: DerivedLicense, ownPrice: number | null, basic: number | null): [string, string][] {
  const field = `license_prices.${license}`;
  if (ownPrice === null) return basic === 0 ? [[field, t("studio.zeroBasicDerivesNothing")]] : [];
  return ownPrice === 0 && license !== "premium"
    ? [[field, t("studio.licenseNeverFree", { license: locale.inSentence(licenseLabels[license]) })]]
    : [];
}

/** The request body that creates a beat from a form without errors. */
export function fieldsOf(values: BeatValues, status: "draft" | "published"): BeatFields {
  const { title, genre, tags, description, bpm, key, price, audio, cover, stems, previewTag, publishAt } = values;
  const ownPrices = derivedLicenses.flatMap((license) => {
    const price = values.licensePrices[license];
    return price === null ? [] : [[license, price]];
  });
  return {
    title: title.trim(),
    genre,
    audio: audio ?? "",
    price: price ?? 0,
    ...(ownPrices.length > 0 && { license_prices: Object.fromEntries(ownPrices) }),
    license_settings: values.licenses,
    free_download: values.freeDownload,
    ...(bpm !== null && { bpm }),
    ...(key !== null && { key }),
    ...(description.trim() !== "" && { description: description.trim() }),
    ...(tags.length > 0 && { tags }),
    ...(cover !== null && { cover }),
    ...(stems !== null && { stems }),
    preview_tag: previewTag,
    // A beat that is published immediately needs no publication time.
    ...(publishAt !== null && status === "draft" && { publish_at: publishAt }),
    status,
  };
}

/** The request body of a change. It contains only changed fields, so that it overwrites no other fields. */
export function changesOf(before: BeatValues, after: BeatValues, rule: Options["price_rule"]): BeatChanges {
  const differs = (name: keyof BeatValues) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return {
    ...(differs("title") && { title: after.title.trim() }),
    ...(differs("genre") && { genre: after.genre }),
    ...(differs("tags") && { tags: after.tags }),
    ...(differs("description") && { description: after.description.trim() === "" ? null : after.description.trim() }),
    ...(differs("bpm") && { bpm: after.bpm }),
    ...(differs("key") && { key: after.key }),
    ...((differs("price") || differs("licensePrices")) && pricesOf(after, rule)),
    ...(differs("licenses") && { license_settings: after.licenses }),
    ...(differs("freeDownload") && { free_download: after.freeDownload }),
    ...(differs("audio") && after.audio !== null && { audio: after.audio }),
    ...(differs("cover") && { cover: after.cover }),
    ...(differs("stems") && { stems: after.stems }),
    ...(differs("previewTag") && { preview_tag: after.previewTag }),
    ...(differs("publishAt") && { publish_at: after.publishAt }),
  };
}

/** All four prices, because the API does not derive the others from a changed basic price. */
function pricesOf({ price, licensePrices }: BeatValues, rule: Options["price_rule"]) {
  const basic = price ?? 0;
  const priceOf = (license: DerivedLicense) => licensePrices[license] ?? derivedPrice(rule, license, basic);
  return {
    price: basic,
    license_prices: {
      premium: priceOf("premium"),
      unlimited: priceOf("unlimited"),
      exclusive: priceOf("exclusive"),
    },
  };
}
