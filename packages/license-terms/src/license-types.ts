export const licenseTypes = ["basic", "premium", "unlimited", "exclusive"] as const;
export type LicenseType = (typeof licenseTypes)[number];

/** The types that the licensor sells. */
export const soldTypes = ({ unsold_licenses }: { unsold_licenses: readonly string[] }): LicenseType[] =>
  licenseTypes.filter((type) => !unsold_licenses.includes(type));
