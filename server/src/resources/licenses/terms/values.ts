import type { LicenseType } from "../../beats/licensing/licenses.ts";

/** What a license allows; null is without limit. */
export interface TermsValues {
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
export const builtInVersion = "2026-11-26";

/** The four licenses at a glance; `built-in.ts` makes the sentences. */
export const termsValues: Record<LicenseType, TermsValues> = {
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
