import { PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { S3Settings } from "./places.ts";
import { md5, s3Client } from "./s3-client.ts";

/** The access key of a bucket's owner. */
export interface BucketKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface NewObject {
  key: string;
  bytes: Buffer;
  contentType: string;
  /** Sent as `x-amz-meta-…` headers. Names in lower case. */
  metadata: Record<string, string>;
}

/** The lifetime of a signature. */
const expiresInSeconds = 60;

/**
 * Signs the PUT of an object with the access key. Returns the URL and the headers of the request, which the caller
 * sends.
 */
export async function signedPut(
  settings: S3Settings,
  { accessKeyId, secretAccessKey }: BucketKey,
  { key, bytes, contentType, metadata }: NewObject,
): Promise<{ url: string; headers: Record<string, string> }> {
  const client = s3Client(settings, { credentials: { accessKeyId, secretAccessKey } });
  const command = new PutObjectCommand({
    Bucket: settings.bucket,
    Key: `${settings.prefix}${key}`,
    ContentMD5: md5(bytes),
    Metadata: metadata,
  });
  const metadataHeaders = Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value] as const);
  // Metadata must be headers, since servers ignore them in the query.
  const unhoistableHeaders = new Set(metadataHeaders.map(([name]) => name));
  const url = await getSignedUrl(client, command, { expiresIn: expiresInSeconds, unhoistableHeaders });
  client.destroy();
  return {
    url,
    headers: { "Content-Type": contentType, "Content-MD5": md5(bytes), ...Object.fromEntries(metadataHeaders) },
  };
}
