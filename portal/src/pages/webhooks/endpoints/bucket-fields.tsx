import { TextInput } from "@mantine/core";
import { DocsLink } from "../../../display/docs-links.tsx";

/** The form's values of a bucket's address and access key. */
export interface Bucket {
  name: string;
  prefix: string;
  region: string;
  /** The origin of an S3-compatible server; empty for Amazon's. */
  server: string;
  accessKeyId: string;
  /** The secret; empty to keep the stored secret. */
  secretAccessKey: string;
}

/** Splits an endpoint's address into fields. `url` is empty for a new endpoint. */
export function bucketOf({ url, accessKeyId }: { url: string; accessKeyId: string }): Bucket {
  const parsedUrl = URL.parse(url);
  return {
    name: parsedUrl?.hostname ?? "",
    prefix: parsedUrl?.pathname.replace(/^\/|\/$/g, "") ?? "",
    region: parsedUrl?.searchParams.get("region") ?? "",
    server: parsedUrl?.searchParams.get("endpoint") ?? "",
    accessKeyId,
    secretAccessKey: "",
  };
}

/** The address in the API's format. On servers other than Amazon's, the path contains the bucket. */
export function bucketAddress({ name, prefix, region, server }: Bucket): string {
  const parameters = new URLSearchParams({
    ...(region !== "" && { region: region.trim() }),
    ...(server !== "" && { endpoint: server.trim(), path_style: "true" }),
  });
  return `s3://${name.trim()}/${prefix.trim()}?${parameters}`;
}

interface BucketFieldsProps {
  bucket: Bucket;
  onChange: (bucket: Bucket) => void;
  /** Whether a secret is stored. */
  hasSecret: boolean;
}

export function BucketFields({ bucket, onChange, hasSecret }: BucketFieldsProps) {
  const field = (name: keyof Bucket) => ({
    value: bucket[name],
    autoComplete: "off",
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...bucket, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <TextInput label="Bucket" placeholder="my-events" required maxLength={63} {...field("name")} data-autofocus />
      <TextInput label="Prefix" description="Begins the name of each object." maxLength={100} {...field("prefix")} />
      <TextInput
        label="Region"
        placeholder="eu-central-1"
        required={bucket.server === ""}
        maxLength={40}
        {...field("region")}
      />
      <TextInput
        label="Server"
        description="Only for a bucket that is not at Amazon: the origin of its S3 server, reachable from the internet."
        placeholder="https://s3.example.com"
        type="url"
        inputMode="url"
        maxLength={300}
        {...field("server")}
      />
      <TextInput
        label="Access key ID"
        description={
          <>
            The key should only be allowed to write below the prefix.{" "}
            <DocsLink place={{ page: "buckets", anchor: "the-access-key" }}>A policy for it</DocsLink>
          </>
        }
        required
        maxLength={128}
        {...field("accessKeyId")}
      />
      <TextInput
        label="Secret access key"
        type="password"
        description={`Stored sealed, and never shown.${hasSecret ? " Leave it empty to keep it." : ""}`}
        required={!hasSecret}
        maxLength={256}
        {...field("secretAccessKey")}
        autoComplete="new-password"
      />
    </>
  );
}
