import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** A place for files: the storage, or the vault of backups. */
export type PlaceSettings = FolderSettings | S3Settings;

export interface FolderSettings {
  folder: string;
  /** Whether a setting names the folder; otherwise it is `dataDir/objects`. */
  isNamed: boolean;
}

export interface S3Settings {
  bucket: string;
  /** Prefix of all keys: "" or ending in a slash. */
  prefix: string;
  /** Undefined: Amazon's endpoint. */
  endpoint: string | undefined;
  region: string | undefined;
  /** Whether the bucket is in the path of the URL instead of the host name. */
  pathStyle: boolean;
}

/**
 * Parses the value of BACKUP_VAULT or `--vault`: a bucket, or a folder as a URL or a path. Throws an OperatorError that
 * names the setting.
 */
export function vaultPlace(setting: "BACKUP_VAULT" | "--vault", value: string, dataDir: string): PlaceSettings {
  if (value.trim() === "") throw new OperatorError(`${setting} is empty. Name a folder or a bucket, or leave it out.`);
  const settings = /^[a-z0-9]+:/.test(value)
    ? placeOf(setting, value)
    : { folder: resolve(value), isNamed: true as const };
  if ("folder" in settings && !relative(dataDir, settings.folder).startsWith(".."))
    throw new OperatorError(
      `${setting} is in DATA_DIR ${dataDir}, and would be lost with it; name a folder of another disk, or a bucket.`,
    );
  return settings;
}

/** Parses the URL of this setting: a bucket or a folder. Throws an OperatorError that names the setting. */
export function placeOf(setting: "STORAGE_URL" | "BACKUP_VAULT" | "--vault", value: string): PlaceSettings {
  const url = URL.parse(value);
  // Messages omit the URL, since it may contain credentials.
  if (url?.protocol === "file:" && url.host === "" && url.search === "" && url.pathname !== "/")
    return { folder: fileURLToPath(url), isNamed: true };
  if (url === null || !isBucketUrl(url))
    throw new OperatorError(
      `${setting} takes a bucket such as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1&path_style=true, or a folder such as file:///srv/beats.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new OperatorError(
      `${setting} contains credentials; set them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
    );
  return bucketOf(setting, url, (message) => new OperatorError(message));
}

/** Whether a URL names a bucket: `s3://bucket/prefix`. */
export const isBucketUrl = (url: URL): boolean =>
  url.protocol === "s3:" && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) && url.port === "";

/**
 * Parses the URL of a bucket (`isBucketUrl`), with the parameters `endpoint`, `region` and `path_style`. Throws the
 * error that `refusal` makes from a sentence. `name`: the name of the URL in the sentence.
 */
export function bucketOf(name: string, url: URL, refusal: (sentence: string) => Error): S3Settings {
  const parameters = ["endpoint", "region", "path_style"];
  const unknown = [...url.searchParams.keys()].find((parameter) => !parameters.includes(parameter));
  if (unknown !== undefined)
    throw refusal(`${name} has the parameter "${unknown}"; it takes ${parameters.join(", ")}.`);
  const parameter = (key: string) => url.searchParams.get(key)?.trim() || undefined;
  const endpoint = parameter("endpoint");
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    throw refusal(`The endpoint of ${name} takes an origin such as https://s3.example.com:9000.`);
  const pathStyle = parameter("path_style") ?? "false";
  if (pathStyle !== "true" && pathStyle !== "false")
    throw refusal(`path_style of ${name} is "${pathStyle}"; it takes true or false.`);
  const prefix = decodeURIComponent(url.pathname)
    .split("/")
    .filter((part) => part !== "")
    .join("/");
  return {
    bucket: url.hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    endpoint,
    region: parameter("region"),
    pathStyle: pathStyle === "true",
  };
}
