import { type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import type { Terms, TermsText } from "./terms.ts";

/** What a license allows; null is without limit. */
interface TermsValues {
  copies: number | null;
  streams: number | null;
  videos: number | null;
  /** Performances that anybody is paid for. */
  paidPerformances: boolean;
  radioStations: number | null;
  /** Of the song's publishing, in percent; the rest is the buyer's. */
  producerPublishingPercent: number;
  /** From the date of the order. */
  years: number | null;
  isExclusive: boolean;
  files: string;
}

/** Of the texts below. A changed value or sentence gets a new one: sold licenses keep the version that they were sold under. */
const builtInVersion = "2026-11-26";

/** The four licenses at a glance; `built-in.ts` makes the sentences. */
const termsValues: Record<LicenseType, TermsValues> = {
  basic: {
    copies: 2_000,
    streams: 100_000,
    videos: 1,
    paidPerformances: false,
    radioStations: 2,
    producerPublishingPercent: 50,
    years: 5,
    isExclusive: false,
    files: "an MP3 file",
  },
  premium: {
    copies: 10_000,
    streams: 500_000,
    videos: 2,
    paidPerformances: true,
    radioStations: 10,
    producerPublishingPercent: 50,
    years: 10,
    isExclusive: false,
    files: "an MP3 file, and a WAV file where the producer's recording is lossless",
  },
  unlimited: {
    copies: null,
    streams: null,
    videos: null,
    paidPerformances: true,
    radioStations: null,
    producerPublishingPercent: 50,
    years: null,
    isExclusive: false,
    files:
      "an MP3 file, a WAV file where the producer's recording is lossless, and the stems where the producer offers them",
  },
  exclusive: {
    copies: null,
    streams: null,
    videos: null,
    paidPerformances: true,
    radioStations: null,
    producerPublishingPercent: 50,
    years: null,
    isExclusive: true,
    files:
      "an MP3 file, a WAV file where the producer's recording is lossless, and the stems where the producer offers them",
  },
};

function textOf(type: LicenseType): TermsText {
  const values = termsValues[type];
  const title = `${type[0]?.toUpperCase()}${type.slice(1)} license`;
  return {
    title,
    text: [
      `# ${title}`,
      "{producer} (the producer) licenses the beat “{beat}” to the buyer of the order that the certificate names. These terms are the whole license.",
      section("What the buyer receives", [
        `${capital(values.files)}, as the certificate lists them with their SHA-256.`,
        "The right to use the beat in one new song: to record vocals and instruments over it, and to edit, shorten and mix it.",
      ]),
      section("What the buyer may do with the song", [
        `Distribution: ${upTo(values.copies, "copies", "sold or given away, as downloads or on media")}.`,
        `Streaming: ${upTo(values.streams, "audio and video streams", "on all services together, paid or not")}.`,
        `Music videos: ${upTo(values.videos, values.videos === 1 ? "video" : "videos", "of any length")}.`,
        values.paidPerformances
          ? "Live: any number of performances, with or without pay."
          : "Live: any number of performances for which nobody is paid.",
        `Radio: ${upTo(values.radioStations, "stations", "at a time")}.`,
        "Territory: the whole world.",
        values.years === null
          ? "Term: without end."
          : `Term: ${values.years} years from the date of the order. What was distributed by then may stay available.`,
      ]),
      section("What the buyer gives in return", [
        "Credit: “Prod. by {producer}”, wherever credits are usual: on releases, in the details of streams and in the descriptions of videos.",
        `Publishing: ${values.producerPublishingPercent} % of the composition's publishing belong to the producer and ${100 - values.producerPublishingPercent} % to the buyer. The buyer registers the song with these shares.`,
      ]),
      section("Exclusivity", [
        values.isExclusive
          ? "This license is exclusive: from the date of the order the producer licenses the beat to nobody else. Licenses sold before it stay valid."
          : "This license is not exclusive: others may license the same beat. If an exclusive license of it is sold later, this one stays valid.",
        "The producer stays the author of the beat and keeps its copyright.",
      ]),
      section("What is not allowed", [
        "Selling, lending or giving away the beat by itself, or as a loop, sample or part of a library.",
        "Licensing the beat to others, or passing this license on without the song.",
        "Registering the beat by itself with a content-recognition service, or claiming to be its only author.",
        "Training a machine-learning model with the beat or its files.",
        ...(values.copies === null ? [] : ["Going beyond the numbers above; another license raises them."]),
      ]),
      section("End", [
        "A full refund of the order ends this license. From then on the buyer may not use the beat, and the certificate's public page says that it was refunded.",
        "If the buyer breaks these terms and does not mend that within 30 days of being told in writing, the license ends.",
      ]),
    ].join("\n\n"),
  };
}

const section = (heading: string, items: readonly string[]): string =>
  [`## ${heading}`, items.map((item) => `- ${item}`).join("\n")].join("\n\n");

const upTo = (limit: number | null, what: string, detail: string): string =>
  `${limit === null ? "any number of" : `up to ${limit.toLocaleString("en-US")}`} ${what} ${detail}`;

const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** The terms of this repository: a starting point, and no legal advice. */
export const builtInTerms: Terms = {
  version: builtInVersion,
  texts: Object.fromEntries(licenseTypes.map((type) => [type, textOf(type)])) as Record<LicenseType, TermsText>,
};
