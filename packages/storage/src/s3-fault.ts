import type { PlaceSetting } from "./files.ts";

/** Describes a fault of the storage and its remedy, by the error name of the S3 server or the AWS SDK. */
const faults: Record<string, (bucket: string, setting: PlaceSetting) => string> = {
  NoSuchBucket: (bucket, setting) => `there is no bucket ${bucket}; create it, or correct ${setting}`,
  AccessDenied: (bucket) =>
    `the credentials lack a right; allow s3:PutObject, s3:GetObject, s3:DeleteObject, s3:AbortMultipartUpload, s3:ListBucket and s3:ListBucketMultipartUploads on ${bucket}`,
  InvalidAccessKeyId: () => "the server does not know the access key; correct AWS_ACCESS_KEY_ID",
  SignatureDoesNotMatch: () => "the secret does not belong to the access key; correct AWS_SECRET_ACCESS_KEY",
  ExpiredToken: () => "the credentials have expired; renew AWS_SESSION_TOKEN",
  RequestTimeTooSkewed: () => "the clocks of this machine and the server differ; set them by NTP",
  PermanentRedirect: (_, setting) => `the bucket is in another region; add region=… to ${setting}`,
  AuthorizationHeaderMalformed: (_, setting) => `the bucket is in another region; add region=… to ${setting}`,
  CredentialsProviderError: () =>
    "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role",
  ECONNREFUSED: () => "nothing listens at its endpoint; check that it is running, and the port",
  ENOTFOUND: () => "the host name of its endpoint is not known; correct it, or add path_style=true",
  EAI_AGAIN: () => "the host name of its endpoint could not be looked up",
  ECONNRESET: (_, setting) => `its endpoint closes connections; check http or https in ${setting}`,
  EPROTO: (_, setting) => `its endpoint does not speak TLS; check http or https in ${setting}`,
  TimeoutError: () => "its endpoint does not answer; check the address, and the firewall",
};

interface SdkError {
  name?: string;
  code?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Describes an error of the AWS SDK, as a clause for the operator. */
export function s3Fault(error: unknown, bucket: string, setting: PlaceSetting): string {
  const { name = "", code = "", message, $metadata } = error as SdkError;
  if (message === "Region is missing") return `its region is not known; add region=… to ${setting}, or set AWS_REGION`;
  const status = $metadata?.httpStatusCode;
  // The response to a HEAD has no body that could name the fault.
  const fault = faults[code] ?? faults[name] ?? (status === 403 ? faults.AccessDenied : undefined);
  if (fault !== undefined) return fault(bucket, setting);
  if (status !== undefined && status >= 500) return `its server answers with status ${status}; look at the server`;
  return message || name || String(error);
}
