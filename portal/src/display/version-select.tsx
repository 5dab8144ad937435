import { Stack } from "@mantine/core";
import { versionDates } from "../api/versions.ts";
import { DocsLink } from "./docs-links.tsx";
import { Select } from "./select.tsx";

interface VersionSelectProps {
  /** Null: the account's. */
  value: string | null;
  onChange: (version: string | null) => void;
  /** What the choice decides. */
  description: string;
  /** Offers the account's version. */
  hasAccount: boolean;
}

const ofAccount = "account";

/** A choice of a dated version of the API. */
export function VersionSelect({ value, onChange, description, hasAccount }: VersionSelectProps) {
  const account = hasAccount ? [{ value: ofAccount, label: "The account's" }] : [];
  // A version that only another release knows stays chosen.
  const dates = value === null || versionDates.includes(value) ? versionDates : [...versionDates, value];
  return (
    <Stack gap={4} align="flex-start">
      <Select
        label="Version of the API"
        description={description}
        data={[...account, ...dates.map((date) => ({ value: date, label: date }))]}
        value={value ?? ofAccount}
        onChange={(chosen) => onChange(chosen === ofAccount ? null : chosen)}
        w={220}
      />
      <DocsLink place={{ page: "api/versioning", anchor: "versions" }}>What changed in each version</DocsLink>
    </Stack>
  );
}
