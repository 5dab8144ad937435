import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { accountVersionQuery, versionDates } from "../../api/versions.ts";
import { DocsLink } from "../../display/docs-links.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { Section } from "../../display/section.tsx";

/** The version of the API that the account is pinned to. */
export function AccountVersion({ onChange }: { onChange: (version: string | null) => void }) {
  const { data: version, error, refetch } = useQuery(accountVersionQuery);
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (version === undefined) return null;
  return (
    <Section
      title="Version of the API"
      actions={
        <Permitted to="keys:write" isQuiet>
          <Button size="xs" variant="default" onClick={() => onChange(version)}>
            Change version
          </Button>
        </Permitted>
      }
    >
      <Text size="sm">
        {version === null
          ? `The account's first call pins it: to the version that the call names, else to ${versionDates[0]}.`
          : `The account is pinned to ${version}. Keys and webhook endpoints may have a version of their own.`}{" "}
        <DocsLink place={{ page: "api/versioning", anchor: "which-version-answers" }}>Which version answers</DocsLink>
      </Text>
    </Section>
  );
}
