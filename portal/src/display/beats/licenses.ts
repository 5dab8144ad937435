import type { components } from "../../api/paths.ts";

export type LicenseType = components["schemas"]["OfferedLicense"]["type"];
export type FileKind = components["schemas"]["OrderFile"]["kind"];

export const licenseLabels: Record<LicenseType, string> = {
  basic: "Basic",
  premium: "Premium",
  unlimited: "Unlimited",
  exclusive: "Exclusive",
};

export const fileLabels: Record<FileKind, string> = {
  mp3: "MP3, up to 320 kbit/s, untagged",
  wav: "WAV (lossless)",
  stems: "Stems, as ZIP",
  license: "License certificate, as PDF",
};
