import { createHash } from "node:crypto";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import type { S3Settings } from "./places.ts";

/** A client for a bucket of any S3-compatible server. Each request with a body must have Content-MD5 (`md5`). */
export const s3Client = ({ endpoint, region, pathStyle }: S3Settings, options: S3ClientConfig): S3Client =>
  new S3Client({
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    // Avoids newer checksums, which servers other than Amazon's reject.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...options,
  });

/** The value of Content-MD5, the checksum that all S3-compatible servers verify. */
export const md5 = (bytes: Buffer): string => createHash("md5").update(bytes).digest("base64");
