import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";

export type LicenseType = components["schemas"]["OfferedLicense"]["type"];
export type FileKind = components["schemas"]["OrderFile"]["kind"];

export const licenseLabels: Record<LicenseType, string> = {
  basic: t("beat.basic"),
  premium: t("beat.premium"),
  unlimited: t("beat.unlimited"),
  exclusive: t("beat.exclusive"),
};

export const fileLabels: Record<FileKind, string> = {
  mp3: t("beat.mp3Untagged"),
  wav: t("beat.wavLossless"),
  stems: t("beat.stemsAsZIP"),
  license: t("beat.licenseCertificateAsPDF"),
};
