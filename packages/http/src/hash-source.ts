import { createHash } from "node:crypto";

/** The source expression of a content security policy for an inline script or style with this text. */
export const hashSource = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
