import type { ClauseName } from "./clauses.ts";
import { type LicenseType, licenseTypes } from "./license-types.ts";
import type { ClauseBounds, LicenseBounds } from "./limits.ts";
import { limitsOf } from "./limits.ts";
import { limitedLine, type Phrases, withLimits } from "./phrases.ts";
import type { Terms, TermsText } from "./terms.ts";
import type { TermsClause } from "./terms-text.ts";

/** The licensor's share of a song's publishing, in percent. The licensee has the rest. */
const licensorPublishingPercent = 50;

/**
 * The version of the texts below. Change it with every change of a value or sentence: sold licenses keep their terms.
 */
const builtInVersion = "2026-11-26";

const between = (standard: number | null, lowest: number | null, highest: number | null): ClauseBounds => ({
  standard,
  lowest,
  highest,
});
const anyNumber = between(null, null, null);
const unlimitedClauses = {
  copies: anyNumber,
  streams: anyNumber,
  videos: anyNumber,
  radio_stations: anyNumber,
  paid_performances: anyNumber,
  years: anyNumber,
};

/** The standard limits of the four licenses, and the range in which a licensor may change each limit. */
const builtInBounds: LicenseBounds = {
  basic: {
    copies: between(2_000, 100, 50_000),
    streams: between(100_000, 1_000, 1_000_000),
    videos: between(1, 0, 5),
    radio_stations: between(2, 0, 20),
    paid_performances: between(0, 0, 100),
    years: between(5, 1, null),
  },
  premium: {
    copies: between(10_000, 100, 1_000_000),
    streams: between(500_000, 1_000, 10_000_000),
    videos: between(2, 0, 20),
    radio_stations: between(10, 0, 100),
    paid_performances: between(null, 0, null),
    years: between(10, 1, null),
  },
  unlimited: unlimitedClauses,
  exclusive: unlimitedClauses,
};

const files: Record<LicenseType, string> = {
  basic: "an MP3 file",
  premium: "an MP3 file, and a WAV file where the producer's recording is lossless",
  unlimited:
    "an MP3 file, a WAV file where the producer's recording is lossless, and the stems where the producer offers them",
  exclusive:
    "an MP3 file, a WAV file where the producer's recording is lossless, and the stems where the producer offers them",
};

export const builtInPhrases: Phrases = {
  copies: {
    none: "none",
    one: "1 copy, as a download or on media",
    limited: "up to {n} copies sold or given away, as downloads or on media",
    unlimited: "any number of copies sold or given away, as downloads or on media",
  },
  streams: {
    none: "none",
    limited: "up to {n} audio and video streams on all services together, paid or not",
    unlimited: "any number of audio and video streams on all services together, paid or not",
  },
  videos: {
    none: "none",
    one: "up to 1 video of any length",
    limited: "up to {n} videos of any length",
    unlimited: "any number of videos of any length",
  },
  radio_stations: {
    none: "none",
    one: "up to 1 station at a time",
    limited: "up to {n} stations at a time",
    unlimited: "any number of stations at a time",
  },
  paid_performances: {
    none: "any number of performances for which nobody is paid",
    one: "1 performance for pay, and any number for which nobody is paid",
    limited: "up to {n} performances for pay, and any number for which nobody is paid",
    unlimited: "any number of performances, with or without pay",
  },
  years: {
    one: "1 year from the date of the order. What was distributed by then may stay available",
    limited: "{n} years from the date of the order. What was distributed by then may stay available",
    unlimited: "without end",
  },
};

/** Returns the clauses of a license type: their sentences and values. */
function clausesOf(type: LicenseType): TermsClause[] {
  const clause = (name: ClauseName, value: TermsClause["value"], text: string): TermsClause => ({ name, text, value });
  return [
    clause("files", "files", `${capital(files[type])}, as the certificate lists them with their SHA-256.`),
    clause(
      "song",
      1,
      "The right to use the beat in one new song: to record vocals and instruments over it, and to edit, shorten and mix it.",
    ),
    clause("copies", "limit", "Distribution: {copies}."),
    clause("streams", "limit", "Streaming: {streams}."),
    clause("videos", "limit", "Music videos: {videos}."),
    clause("paid_performances", "limit", "Live: {paid_performances}."),
    clause("radio_stations", "limit", "Radio: {radio_stations}."),
    clause("territory", "world", "Territory: the whole world."),
    clause("years", "limit", "Term: {years}."),
    clause(
      "credit",
      true,
      "Credit: “Prod. by {producer}”, wherever credits are usual: on releases, in the details of streams and in the descriptions of videos.",
    ),
    clause(
      "publishing",
      100 - licensorPublishingPercent,
      `Publishing: ${licensorPublishingPercent} % of the composition's publishing belong to the producer and ${100 - licensorPublishingPercent} % to the buyer. The buyer registers the song with these shares.`,
    ),
    type === "exclusive"
      ? clause(
          "exclusive",
          true,
          "This license is exclusive: from the date of the order the producer licenses the beat to nobody else. Licenses sold before it stay valid.",
        )
      : clause(
          "exclusive",
          false,
          "This license is not exclusive: others may license the same beat. If an exclusive license of it is sold later, this one stays valid.",
        ),
    clause("authorship", false, "The producer stays the author of the beat and keeps its copyright."),
    clause(
      "resale",
      false,
      "Selling, lending or giving away the beat by itself, or as a loop, sample or part of a library.",
    ),
    clause("sublicense", false, "Licensing the beat to others, or passing this license on without the song."),
    clause(
      "content_id",
      false,
      "Registering the beat by itself with a content-recognition service, or claiming to be its only author.",
    ),
    clause("training", false, "Training a machine-learning model with the beat or its files."),
    clause("beyond_limits", false, "Going beyond the numbers above; another license raises them."),
    clause(
      "refund",
      false,
      "A full refund of the order ends this license. From then on the buyer may not use the beat, and the certificate's public page says that it was refunded.",
    ),
    clause(
      "breach",
      false,
      "If the buyer breaks these terms and does not mend that within 30 days of being told in writing, the license ends.",
    ),
  ];
}

/** The headings, each with its clauses. */
const sections: readonly [string, readonly ClauseName[]][] = [
  ["What the buyer receives", ["files", "song"]],
  [
    "What the buyer may do with the song",
    ["copies", "streams", "videos", "paid_performances", "radio_stations", "territory", "years"],
  ],
  ["What the buyer gives in return", ["credit", "publishing"]],
  ["Exclusivity", ["exclusive", "authorship"]],
  ["What is not allowed", ["resale", "sublicense", "content_id", "training", "beyond_limits"]],
  ["End", ["refund", "breach"]],
];

function textOf(type: LicenseType): TermsText {
  const title = `${type[0]?.toUpperCase()}${type.slice(1)} license`;
  const clauses = clausesOf(type);
  const itemOf = (name: ClauseName): string =>
    `${name === "beyond_limits" ? limitedLine : ""}${clauses.find((clause) => clause.name === name)?.text}`;
  const template = [
    `# ${title}`,
    "{producer} (the producer) licenses the beat “{beat}” to the buyer of the order that the certificate names. These terms are the whole license.",
    ...sections.map(([heading, names]) => section(heading, names.map(itemOf))),
  ].join("\n\n");
  const bounds = builtInBounds[type];
  return {
    title,
    text: withLimits(template, builtInPhrases, limitsOf(bounds)),
    template,
    limits: { bounds, phrases: builtInPhrases },
    clauses,
  };
}

const section = (heading: string, items: readonly string[]): string =>
  [`## ${heading}`, items.map((item) => `- ${item}`).join("\n")].join("\n\n");

const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** The terms of this repository. They are a starting point, and not legal advice. */
export const builtInTerms: Terms = {
  version: builtInVersion,
  texts: Object.fromEntries(licenseTypes.map((type) => [type, textOf(type)])) as Record<LicenseType, TermsText>,
};
