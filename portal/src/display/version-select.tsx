import { Stack } from "@mantine/core";
import { versionDates } from "../api/versions.ts";
import { DocsLink } from "./docs-links.tsx";
import { Select } from "./select.tsx";

interface VersionSelectProps {
  /** The chosen version; null for the account's. */
  value: string | null;
  onChange: (version: string | null) => void;
  /** The effect of the choice. */
  description: string;
  /** Whether the account's version is a choice. */
  offersAccountVersion: boolean;
}

const ofAccount = "account";

/** A choice of a dated version of the API. */
export function VersionSelect({ value, onChange, description, offersAccountVersion }: VersionSelectProps) {
  const account = offersAccountVersion ? [{ value: ofAccount, label: "The account's" }] : [];
  // A chosen version that only another release knows must remain a choice.
  const dates = value === null || versionDates.includes(value) ? versionDates : [...versionDates, value];
  return (
    <Stack gap={4} align="flex-start">
      <Select
        label="Version of the API"
        description={description}
        data={[...account, ...dates.map((date) => ({ value: date, label: date }))]}
        value={value ?? ofAccount}
        onChange={(version) => onChange(version === ofAccount ? null : version)}
        w={220}
      />
      <DocsLink place={{ page: "api/versioning", anchor: "versions" }}>What changed in each version</DocsLink>
    </Stack>
  );
}
